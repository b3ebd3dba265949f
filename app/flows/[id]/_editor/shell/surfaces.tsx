import dynamic from "next/dynamic";
import { useEffect } from "react";
import { loadSheet } from "@/app/_ui/controls/lazy-sheet";
import { loadPart } from "@/app/_ui/loading/load-part";
import { whenIdle } from "@/app/_ui/loading/when-idle";
import { loadForms } from "../panels/inspector/inspector";
import { loadProblemList } from "../panels/problems/problems-pane";
import { useIsEditable, useView } from "../state/session-context";

const loadDialogs = () => loadPart(() => import("./header/editor-dialogs"));
const loadLost = () => loadPart(() => import("../panels/merge/lost-dialog"));
const loadContextMenu = () => loadPart(() => import("../panels/canvas/context-menu"));
const loadInsertMenu = () => loadPart(() => import("../panels/palette/insert-menu"));
const loadPalette = () => loadPart(() => import("../panels/palette/palette"));

/** Loaded ahead, because users may open them at any moment. */
const soonAsked = [
  loadForms,
  loadProblemList,
  loadDialogs,
  loadLost,
  loadInsertMenu,
  loadContextMenu,
  loadPalette,
  loadSheet,
];

const EditorDialogs = dynamic(loadDialogs, { ssr: false });
const InsertMenu = dynamic(loadInsertMenu, { ssr: false });
const EditorConnect = dynamic(() => loadPart(() => import("../panels/connect/editor-connect")), { ssr: false });
const EditorExport = dynamic(() => loadPart(() => import("../panels/transfer/editor-export")), { ssr: false });
const EditorImport = dynamic(() => loadPart(() => import("../panels/transfer/editor-import")), { ssr: false });
const KeySheet = dynamic(() => loadPart(() => import("../panels/key-sheet/key-sheet")), { ssr: false });
const ContextMenu = dynamic(loadContextMenu, { ssr: false });
const Palette = dynamic(loadPalette, { ssr: false });
const VersionsDialog = dynamic(() => loadPart(() => import("../panels/versions/versions-dialog")), { ssr: false });
const EditorMembers = dynamic(() => loadPart(() => import("../panels/members/editor-members")), { ssr: false });
const EditorShare = dynamic(() => loadPart(() => import("../panels/share/editor-share")), { ssr: false });
const ConfirmReach = dynamic(() => loadPart(() => import("../panels/reach/confirm-reach")), { ssr: false });
const TemplateGallery = dynamic(() => loadPart(() => import("../panels/palette/template-gallery")), { ssr: false });

export function Surfaces() {
  const isAsked = useView((view) => view.dialog !== null);
  const isEditable = useIsEditable();
  useEffect(
    () =>
      isEditable
        ? whenIdle(() => {
            for (const load of soonAsked) void load();
          })
        : undefined,
    [isEditable],
  );
  return (
    <>
      {isAsked && <EditorDialogs />}
      <Surface />
    </>
  );
}

function Surface() {
  const surface = useView((view) => view.surface);
  if (surface?.type === "palette") return <Palette />;
  if (surface?.type === "keys") return <KeySheet />;
  if (surface?.type === "context") return <ContextMenu key={`${surface.at.x} ${surface.at.y}`} at={surface.at} />;
  if (surface?.type === "insert") return <InsertMenu target={surface.target} />;
  if (surface?.type === "templates") return <TemplateGallery target={surface.target} />;
  if (surface?.type === "import") return <EditorImport text={surface.text} />;
  if (surface?.type === "versions") return <VersionsDialog key={surface.version} chosenFirst={surface.version} />;
  if (surface?.type === "members") return <EditorMembers />;
  if (surface?.type === "share") return <EditorShare />;
  if (surface?.type === "reach") return <ConfirmReach {...surface} />;
  if (surface?.type === "connect") return <EditorConnect {...surface} />;
  if (surface?.type === "export") return <EditorExport />;
  return null;
}

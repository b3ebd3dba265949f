"use client";

import dynamic from "next/dynamic";
import { loadPart } from "./load-part";
import { useView } from "./session-context";

const InsertMenu = dynamic(() => loadPart(() => import("./insert/insert-menu")), { ssr: false });
const EditorExport = dynamic(() => loadPart(() => import("./export/editor-export")), { ssr: false });
const EditorImport = dynamic(() => loadPart(() => import("./import/editor-import")), { ssr: false });
const KeySheet = dynamic(() => loadPart(() => import("./key-sheet/key-sheet")), { ssr: false });
const Palette = dynamic(() => loadPart(() => import("./palette/palette")), { ssr: false });
const TemplateGallery = dynamic(() => loadPart(() => import("./insert/template-gallery")), { ssr: false });

/** What lies over the editor to find, insert, import or export something; loaded when it is first asked for. */
export function Surfaces() {
  const surface = useView((view) => view.surface);
  if (surface?.type === "palette") return <Palette />;
  if (surface?.type === "keys") return <KeySheet />;
  if (surface?.type === "insert") return <InsertMenu target={surface.target} />;
  if (surface?.type === "templates") return <TemplateGallery target={surface.target} />;
  if (surface?.type === "import") return <EditorImport text={surface.text} />;
  if (surface?.type === "export") return <EditorExport />;
  return null;
}

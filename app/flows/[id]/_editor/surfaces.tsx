"use client";

import dynamic from "next/dynamic";
import { useView } from "./session-context";

const InsertMenu = dynamic(() => import("./insert/insert-menu"), { ssr: false });
const EditorExport = dynamic(() => import("./export/editor-export"), { ssr: false });
const EditorImport = dynamic(() => import("./import/editor-import"), { ssr: false });
const KeySheet = dynamic(() => import("./key-sheet/key-sheet"), { ssr: false });
const Palette = dynamic(() => import("./palette/palette"), { ssr: false });
const TemplateGallery = dynamic(() => import("./insert/template-gallery"), { ssr: false });

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

import type { EditorCommand } from "./editor-command";
import { openExport } from "./open-export";
import { openImport } from "./open-import";

export const fileCommands: readonly EditorCommand[] = [
  {
    id: "export",
    title: "Export…",
    group: "File",
    words: "download save python json mermaid svg png",
    run: openExport,
  },
  {
    id: "import",
    title: "Import…",
    group: "File",
    words: "open paste load orbiter yaml json python",
    run: (session) => openImport(session),
  },
];

import { type ReactNode, useDeferredValue, useState } from "react";
import { Dialog, DialogActions } from "@/app/_ui/controls/dialog";
import { formatFacts, type ImportFormat, importFormats } from "@/lib/core/source/formats/format-names";
import { ImportPreviewPane } from "./import-preview-pane";
import { ImportText } from "./import-text";
import { currentTheme } from "./picture";
import { readImport } from "./read-import";

export interface ImportActionsProps {
  source: string;
}

interface ImportDialogProps {
  initialText: string;
  model: string;
  onClose(): void;
  renderActions(props: ImportActionsProps): ReactNode;
}

/**
 * A text becomes a flow: pasted, chosen or dropped, read as data, previewed, and only then imported. Nothing of it
 * runs, connects or resolves.
 */
export default function ImportDialog({ initialText, model, onClose, renderActions }: ImportDialogProps) {
  const [text, setText] = useState(initialText);
  const [chosen, setChosen] = useState<ImportFormat | "">("");
  const read = useDeferredValue(text);
  const [theme] = useState(currentTheme);
  const preview =
    read.trim() === "" ? null : readImport(read, { model, theme, ...(chosen === "" ? {} : { format: chosen }) });
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && onClose()}
      title="Import a flow"
      description="A DSL line, a flow file, or Python for Orbiter. It is parsed, never run."
    >
      <div className="grid gap-4 md:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-2">
          <ImportText text={text} onText={setText} />
          <label className="flex items-center gap-2 text-text-muted text-xs">
            Read as
            <select
              value={chosen}
              onChange={({ target }) => setChosen(importFormats.find((format) => format === target.value) ?? "")}
              className="h-8 min-w-0 flex-1 rounded-md border border-line-input bg-surface-raised px-2 text-[13px] text-text"
            >
              <option value="">
                {preview && chosen === "" && preview.flow
                  ? `Detected format: ${formatFacts[preview.imported.format].label}`
                  : "Detected format"}
              </option>
              {importFormats.map((format) => (
                <option key={format} value={format}>
                  {formatFacts[format].label}
                </option>
              ))}
            </select>
          </label>
        </div>
        <ImportPreviewPane preview={preview} />
      </div>
      <DialogActions>{renderActions({ source: preview?.imported.source ?? "" })}</DialogActions>
    </Dialog>
  );
}

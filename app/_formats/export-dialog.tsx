import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "@/app/_ui/controls/button";
import { CopyButton } from "@/app/_ui/controls/copy-button";
import { Dialog } from "@/app/_ui/controls/dialog";
import { showError } from "@/app/_ui/toast/show-error";
import { exportFlow } from "@/lib/core/source/formats/export/export-flow";
import type { ExportSource } from "@/lib/core/source/formats/export/exported";
import { type ExportFormat, formatFacts, toFileName } from "@/lib/core/source/formats/format-names";
import { embedFonts } from "./embed-fonts";
import { FlowPicture } from "./flow-picture";
import { currentTheme, drawPng } from "./picture";
import { saveFile } from "./save-file";

type ExportChoice = ExportFormat | "png";

const choices: readonly ExportChoice[] = [
  "yaml",
  "svg",
  "png",
  "dsl",
  "mermaid",
  "json",
  "python",
  "orbiter-dsl",
  "typescript",
];
const choiceFacts = {
  ...formatFacts,
  png: { label: "Picture (PNG)", about: "The canvas at twice its size", extension: "png", mediaType: "image/png" },
};
const maxPreviewLength = 60_000;

export default function ExportDialog({ source, onClose }: { source: ExportSource; onClose(): void }) {
  const [choice, setChoice] = useState<ExportChoice>("yaml");
  const [theme] = useState(currentTheme);
  const format = choice === "png" ? "svg" : choice;
  const { text, notes, losses } = exportFlow(source, format, { theme });
  const { label, about, extension, mediaType } = choiceFacts[choice];
  const fileName = toFileName(source.flow.name, extension);
  const download = async (): Promise<void> => {
    try {
      const content = format === "svg" ? await embedFonts(text) : text;
      saveFile(choice === "png" ? await drawPng(content, 2) : new Blob([content], { type: mediaType }), fileName);
    } catch (error) {
      showError(error);
    }
  };
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && onClose()}
      title="Export this flow"
      description="As a file for people, tools and other libraries."
    >
      <div className="grid gap-4 md:grid-cols-[15rem_minmax(0,1fr)]">
        <Formats choice={choice} onChoose={setChoice} />
        <section aria-label={label} className="flex min-w-0 flex-col gap-2">
          <div className="flex items-center gap-2">
            <p className="min-w-0 flex-1 text-text-muted text-xs sm:truncate">{about}</p>
            {choice !== "png" && <CopyButton text={text} label={`Copy ${label}`} />}
            <Button size="small" variant="primary" onClick={() => void download()}>
              <Download size={14} aria-hidden /> Download
            </Button>
          </div>
          <ExportPreview text={text} isPicture={format === "svg"} name={source.flow.name} fileName={fileName} />
          <ExportNotes losses={losses} notes={notes} />
        </section>
      </div>
    </Dialog>
  );
}

interface ExportPreviewProps {
  text: string;
  isPicture: boolean;
  name: string;
  fileName: string;
}

function ExportPreview({ text, isPicture, name, fileName }: ExportPreviewProps) {
  if (isPicture) return <FlowPicture svg={text} name={name} className="h-72 md:h-96" />;
  return (
    <textarea
      readOnly
      aria-label={`Text of ${fileName}`}
      wrap="off"
      value={text.length > maxPreviewLength ? `${text.slice(0, maxPreviewLength)}\n…` : text}
      className="h-72 w-full resize-none rounded-md border border-line-input bg-surface-sunken p-2 font-mono text-xs leading-5 md:h-96"
    />
  );
}

function ExportNotes({ losses, notes }: { losses: readonly string[]; notes: readonly string[] }) {
  if (losses.length + notes.length === 0) return null;
  return (
    <ul aria-label="Limitations of this format" className="max-h-24 overflow-y-auto text-text-muted text-xs">
      {losses.map((loss) => (
        <li key={loss} className="ml-4 list-disc text-warning">
          Lost: {loss}
        </li>
      ))}
      {notes.map((note) => (
        <li key={note} className="ml-4 list-disc">
          {note}
        </li>
      ))}
    </ul>
  );
}

function Formats({ choice, onChoose }: { choice: ExportChoice; onChoose(choice: ExportChoice): void }) {
  return (
    <fieldset className="grid grid-cols-2 content-start gap-1 sm:grid-cols-3 md:grid-cols-1">
      <legend className="sr-only">Format</legend>
      {choices.map((option) => (
        <label
          key={option}
          className="relative flex h-8 cursor-pointer items-center rounded-md border border-transparent px-3 font-medium text-text-muted hover:bg-surface-hover has-checked:bg-surface-selected has-checked:text-text has-focus-visible:outline-2 has-focus-visible:outline-focus"
        >
          <input
            type="radio"
            name="export-format"
            value={option}
            checked={choice === option}
            onChange={() => onChoose(option)}
            className="sr-only"
          />
          {choiceFacts[option].label}
        </label>
      ))}
    </fieldset>
  );
}

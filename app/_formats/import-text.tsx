import { type DragEvent, useState } from "react";
import { ChooseFile } from "@/app/_ui/controls/choose-file";
import { showError } from "@/app/_ui/toast/show-error";
import { formatCount } from "@/lib/core/flow/format-count";
import { importLimits } from "@/lib/core/source/formats/import/imported";

const accepted = ".yaml,.yml,.json,.py,.txt,.flow,.dsl,text/*";

export function ImportText({ text, onText }: { text: string; onText(text: string): void }) {
  const [over, setOver] = useState(false);
  const [fileName, setFileName] = useState("");
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    // Four bytes a character at most: a larger file is too long whatever is in it.
    if (file.size > importLimits.length * 4) {
      showError(
        new Error(
          `${file.name} is too large: at most ${formatCount(importLimits.length)} characters are imported. Split it.`,
        ),
      );
      return;
    }
    setFileName(file.name);
    onText(await file.text());
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };
  return (
    <>
      <textarea
        aria-label="Text to import"
        spellCheck={false}
        value={text}
        onChange={({ target }) => onText(target.value)}
        onDragOver={(event) => {
          if (!event.dataTransfer.types.includes("Files")) return;
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => event.dataTransfer.files.length > 0 && drop(event)}
        placeholder={
          "planner >> (researcher | analyst) >> writer\n\nor paste YAML, JSON or Python, or drop a file here"
        }
        className={`h-56 w-full resize-none rounded-md border bg-surface-sunken p-2 font-mono text-xs leading-5 md:h-80 ${over ? "border-accent bg-accent-soft" : "border-line-input"}`}
      />
      <div className="flex min-w-0 items-center gap-2">
        <ChooseFile size="small" accept={accepted} label="File to import" onChoose={(file) => void take(file)}>
          Choose a file…
        </ChooseFile>
        <span className="truncate text-text-muted text-xs">{fileName}</span>
      </div>
    </>
  );
}

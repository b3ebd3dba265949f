import { FileJson2 } from "lucide-react";
import { ChooseFile } from "@/app/_ui/controls/choose-file";

export const acceptedFiles = ".json,application/json";

export function Invitation({ onFile }: { onFile(file: File): void }) {
  return (
    <div className="flex flex-1 flex-col bg-surface-sunken p-4">
      <div className="flex flex-1 flex-col items-center justify-center gap-3 rounded-lg border border-line-strong border-dashed px-6 py-16 text-center">
        <FileJson2 size={32} aria-hidden className="text-text-faint" />
        <h1 className="font-semibold text-lg">Open a run file</h1>
        <p className="max-w-md text-text-muted">
          Choose a file, or drop it here. It contains a run with all its steps and texts; every run offers it as
          “Download as a run file”.
        </p>
        <ChooseFile variant="primary" accept={acceptedFiles} label="Run file to open" onChoose={onFile}>
          Choose a file…
        </ChooseFile>
        <p className="max-w-md text-text-muted text-xs">
          The file is read in this browser only: nothing is uploaded, and nothing in it runs.
        </p>
      </div>
    </div>
  );
}

import { FileJson2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { RunCanvas } from "@/app/_canvas/run-canvas/run-canvas";
import { RunView } from "@/app/_run-view/run-view";
import type { FileRun } from "@/app/_run-view/source/file-source";
import type { CanvasProps } from "@/app/_run-view/timeline/canvas-view";
import { ChooseFile } from "@/app/_ui/controls/choose-file";
import { acceptedFiles } from "./invitation";

interface OpenedRunProps {
  name: string;
  run: FileRun;
  onFile(file: File): void;
}

export function OpenedRun({ name, run, onFile }: OpenedRunProps) {
  const { shown: runInfo, traces, steps, turns, source, layout, isOver } = run;
  const [canvas] = useState(() => (props: CanvasProps) => <RunCanvas source={source} layout={layout} {...props} />);
  const title = useRef<HTMLParagraphElement>(null);
  // The button that opened the file may have gone.
  useEffect(() => title.current?.focus(), []);
  return (
    <>
      <div className="flex items-center gap-2 border-b bg-surface-sunken px-4 py-1.5 text-text-muted">
        <FileJson2 size={14} aria-hidden className="shrink-0" />
        <p ref={title} tabIndex={-1} title={name} className="mr-auto min-w-0 truncate rounded">
          From the file {name}
          {!isOver && ". The run was still live when the file was written."}
        </p>
        <ChooseFile size="small" accept={acceptedFiles} label="Run file to open" onChoose={onFile}>
          Open another file
        </ChooseFile>
      </div>
      <RunView
        run={runInfo}
        sources={{ traces, steps, turns, canvas, flowId: null }}
        neighbours={{ previous: null, next: null }}
      />
    </>
  );
}

"use client";
import { useRef, useState } from "react";
import { useViewState } from "@/app/_run-view/state/view-state";
import { formatBytes } from "@/app/_ui/format/format";
import { DropFile } from "./drop-file";
import { Invitation } from "./invitation";
import { OpenedRun } from "./opened-run";
import { type ReadRun, readChosenFile } from "./read-chosen-file";

/** The run of a chosen or dropped file. The file is not uploaded, and nothing in it runs. */
export function OpenRun() {
  const [reading, setReading] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [opened, setOpened] = useState<{ file: File; run: ReadRun } | null>(null);
  const [, changeView] = useViewState();
  const latest = useRef<File | null>(null);
  const take = async (file: File): Promise<void> => {
    latest.current = file;
    setReading(file);
    setProblem(null);
    const run = await readChosenFile(file);
    if (latest.current !== file) return;
    setReading(null);
    if ("problem" in run) {
      setProblem(`${file.name}: ${run.problem}`);
      return;
    }
    // The view state of one run is meaningless for another; only the address of the first one applies.
    if (opened) void changeView(null);
    setOpened({ file, run });
  };
  const onFile = (file: File): void => void take(file);
  return (
    <DropFile onDrop={onFile}>
      <p role="status" className={reading ? "border-b bg-running-soft px-4 py-2 text-running" : "sr-only"}>
        {reading && `Reading ${reading.name} (${formatBytes(reading.size)}) …`}
      </p>
      {problem !== null && (
        <p role="alert" className="border-b bg-danger-soft px-4 py-2 text-danger [overflow-wrap:anywhere]">
          {problem}
        </p>
      )}
      {opened ? (
        <OpenedRun key={opened.run.key} name={opened.file.name} run={opened.run} onFile={onFile} />
      ) : (
        <Invitation onFile={onFile} />
      )}
    </DropFile>
  );
}

"use client";
import { Play } from "lucide-react";
import { useId, useRef, useState } from "react";
import { Button } from "../_ui/controls/button";
import { Dialog, DialogActions } from "../_ui/controls/dialog";
import { messageOf } from "../_ui/loading/fetch-json";
import { startRun } from "./start-run";

interface StartRunDialogProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  flowId: string;
  flowName: string;
  /** The saved revision to run; missing: the newest. */
  revision?: string;
  /** What stands in the field at first, e.g. the input of the run before. */
  initialInput?: string;
  onStarted(runId: string): void;
}

/** Asks what the flow should work on, and starts it. */
export default function StartRunDialog({
  open,
  onOpenChange,
  flowId,
  flowName,
  revision,
  initialInput = "",
  onStarted,
}: StartRunDialogProps) {
  const [input, setInput] = useState(initialInput);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const field = useId();
  const writing = useRef<HTMLTextAreaElement>(null);
  const start = async (): Promise<void> => {
    setPending(true);
    setError(null);
    try {
      onStarted(await startRun(flowId, input, revision));
      onOpenChange(false);
    } catch (problem) {
      setError(messageOf(problem));
    } finally {
      setPending(false);
    }
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      firstFocus={writing}
      title={`Run “${flowName}”`}
      description="The first steps get this text; every step after them gets the answers before it."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <label htmlFor={field} className="mb-1 block font-medium">
          Input
        </label>
        <textarea
          ref={writing}
          id={field}
          value={input}
          rows={5}
          onChange={(event) => setInput(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
          }}
          placeholder="What should the swarm work on?"
          className="block w-full resize-y rounded-md border border-line-strong bg-surface p-2"
        />
        {error && (
          <p role="alert" className="mt-2 text-danger">
            {error}
          </p>
        )}
        <DialogActions>
          <Button onClick={() => onOpenChange(false)}>Not now</Button>
          <Button type="submit" variant="primary" pending={pending} title="Ctrl+Enter">
            <Play size={14} aria-hidden /> Start run
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

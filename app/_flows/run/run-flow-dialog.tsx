import { FlaskConical, Play } from "lucide-react";
import { useRouter } from "next/navigation";
import { useId, useRef, useState } from "react";
import type { FlowSummary } from "@/lib/server/flows/list-flows";
import { LazyConnectionDialog } from "../../_connections/lazy-connection-dialog";
import { findMissingProvider } from "../../_run/missing-provider";
import { startRun } from "../../_run/start-run";
import { Button } from "../../_ui/controls/button";
import { Dialog, DialogActions } from "../../_ui/controls/dialog";
import { messageOf } from "../../_ui/loading/fetch-json";
import { MessageText } from "../../_ui/text/message-text";

type RunMode = "run" | "simulate";

/** Starts a run of the flow's newest revision on what `readInput` gives, and opens it. */
function useStart(flow: FlowSummary, readInput: () => string) {
  const router = useRouter();
  const [pending, setPending] = useState<RunMode | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [missingProvider, setMissingProvider] = useState<string | null>(null);
  const start = async (mode: RunMode): Promise<void> => {
    setPending(mode);
    setProblem(null);
    try {
      const run = await startRun(flow.id, { input: readInput(), simulate: mode === "simulate" });
      router.push(`/runs/${run}`);
    } catch (error) {
      setProblem(messageOf(error));
      setMissingProvider(findMissingProvider(error));
      setPending(null);
    }
  };
  return { start, pending, problem, missingProvider, stopConnecting: () => setMissingProvider(null) };
}

/** Asks for the input of a run of a flow, and for the key that it lacks. */
export default function RunFlowDialog({ flow, onClose }: { flow: FlowSummary; onClose(): void }) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const { start, pending, problem, missingProvider, stopConnecting } = useStart(flow, () => field.current?.value ?? "");
  return (
    <Dialog
      open
      onOpenChange={onClose}
      firstFocus={field}
      title={`Run “${flow.name}”`}
      description="The first steps receive this text; every later step receives the answers of the steps before it."
    >
      <label htmlFor={id} className="mb-1 block font-medium">
        Input
      </label>
      <textarea
        ref={field}
        id={id}
        rows={5}
        placeholder="What should the swarm work on?"
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void start("run");
        }}
        className="block w-full resize-y rounded-md border border-line-input bg-surface p-2"
      />
      {problem && (
        <p role="alert" className="mt-2 text-danger">
          <MessageText text={problem} />
        </p>
      )}
      {missingProvider !== null && (
        <LazyConnectionDialog
          provider={missingProvider}
          saveLabel="Save and run"
          onSaved={() => {
            stopConnecting();
            void start("run");
          }}
          onClose={stopConnecting}
        />
      )}
      <DialogActions>
        <Button pending={pending === "simulate"} disabled={pending !== null} onClick={() => void start("simulate")}>
          <FlaskConical size={14} aria-hidden /> Simulate
        </Button>
        <Button
          variant="primary"
          pending={pending === "run"}
          disabled={pending !== null}
          title="Ctrl+Enter"
          onClick={() => void start("run")}
        >
          <Play size={14} aria-hidden /> Start run
        </Button>
      </DialogActions>
    </Dialog>
  );
}

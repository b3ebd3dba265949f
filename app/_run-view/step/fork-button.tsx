import { GitFork, Pencil } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { RunNode } from "@/lib/core/trace/model/run-state";
import { forkRun } from "../../_run/start-run";
import { useNewRun } from "../../_run/use-new-run";
import { useAccess } from "../../_ui/access/access";
import { Button } from "../../_ui/controls/button";
import { IconButton } from "../../_ui/controls/icon-button";
import { loadPart } from "../../_ui/loading/load-part";

const ForkDialog = lazy(() => loadPart(() => import("./fork-dialog")));

export function ForkButton({ runId, node }: { runId: string; node: RunNode }) {
  const { mayRun } = useAccess();
  const [isOpen, setOpen] = useState(false);
  const { start, isPending } = useNewRun();
  if (!mayRun) return null;
  return (
    <>
      <Button
        size="small"
        variant="ghost"
        pending={isPending}
        onClick={() => void start(() => forkRun(runId, { node: node.id, revision: "recorded" }))}
        title="Starts a new run that reuses the steps before"
      >
        <GitFork size={14} aria-hidden /> Run from here
      </Button>
      <IconButton label="Run from here with changes…" onClick={() => setOpen(true)}>
        <Pencil size={14} aria-hidden />
      </IconButton>
      {isOpen && (
        <Suspense>
          <ForkDialog runId={runId} node={node} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

import { GitFork } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { RunNode } from "@/lib/core/trace/model/run-state";
import { Button } from "../../_ui/controls/button";
import { loadPart } from "../../_ui/loading/load-part";

const ForkDialog = lazy(() => loadPart(() => import("./fork-dialog")));

export function ForkButton({ runId, node }: { runId: string; node: RunNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" variant="ghost" onClick={() => setOpen(true)} title="A new run that reuses the steps before">
        <GitFork size={14} aria-hidden /> Run from here
      </Button>
      {isOpen && (
        <Suspense>
          <ForkDialog runId={runId} node={node} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

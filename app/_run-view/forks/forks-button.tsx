import { lazy, Suspense, useState } from "react";
import { countNouns } from "@/lib/core/flow/format-count";
import { Button } from "../../_ui/controls/button";
import { loadPart } from "../../_ui/loading/load-part";

const ForksDialog = lazy(() => loadPart(() => import("./forks-dialog")));

/** The runs that continue this one. */
export function ForksButton({ runId, count }: { runId: string; count: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size="small"
        variant="ghost"
        onClick={() => setOpen(true)}
        title="Runs that continue this one from a step"
        className="font-normal text-text-muted text-xs underline max-sm:order-3"
      >
        {countNouns(count, "fork")}
      </Button>
      {isOpen && (
        <Suspense>
          <ForksDialog runId={runId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

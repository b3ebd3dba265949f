import { GitCompareArrows } from "lucide-react";
import Link from "next/link";
import { countNouns } from "@/lib/core/flow/format-count";
import { fewestComparedRuns, mostComparedRuns } from "@/lib/core/trace/model/compared-runs";
import { Button, buttonClass } from "../../_ui/controls/button";

export function CompareBar({ ids, onClear }: { ids: readonly string[]; onClear(): void }) {
  const ready = ids.length >= fewestComparedRuns;
  return (
    <div className="pointer-events-none sticky bottom-3 z-20 flex justify-center">
      <div className="pointer-events-auto flex max-w-full flex-wrap items-center gap-2 rounded-lg border border-line-strong bg-surface-raised py-2 pr-2 pl-4 shadow-popover">
        <p role="status" className="mr-2">
          {countNouns(ids.length, "run")} chosen{ready ? "" : ": choose one more to compare"}
          {ids.length === mostComparedRuns && ", which is the most"}
        </p>
        <Button variant="ghost" onClick={onClear}>
          Clear
        </Button>
        {ready && (
          <Link className={buttonClass("primary")} href={`/runs/compare?runs=${ids.map(encodeURIComponent).join()}`}>
            <GitCompareArrows size={14} aria-hidden /> Compare
          </Link>
        )}
      </div>
    </div>
  );
}

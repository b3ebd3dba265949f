import Link from "next/link";
import type { ComparedRun } from "@/lib/server/runs/read/compare-runs";
import type { ForkOrigin } from "@/lib/server/runs/read/fork-origin";
import { describeChange } from "../../../_run/fork-change";
import { letterOf } from "./letters";

/** Which run a run continues, from which step, and with which changes. */
export function OriginText({ origin, runs }: { origin: ForkOrigin; runs: readonly ComparedRun[] }) {
  const index = runs.findIndex(({ id }) => id === origin.runId);
  // The head of the column has the model.
  const change = describeChange({ ...origin, model: null });
  return (
    <span className="[overflow-wrap:anywhere]">
      <Link href={`/runs/${origin.runId}`} className="rounded underline underline-offset-2">
        {index < 0 ? "Another run" : letterOf(index)}
      </Link>{" "}
      from <code className="font-mono text-xs">{origin.step}</code>
      {change !== "" && <span className="block text-text-muted text-xs">{change}</span>}
    </span>
  );
}

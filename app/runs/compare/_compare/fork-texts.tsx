import type { ComparedRun } from "@/lib/server/runs/read/compare-runs";
import { formatLength } from "../../../_ui/format/format";
import { letterOf } from "./letters";

/** What forks got in place of what their steps had, each as it was written. */
export function ForkTexts({ runs }: { runs: readonly ComparedRun[] }) {
  return (
    <dl className="grid gap-3 rounded-lg border bg-surface p-3">
      {runs.flatMap(({ id, changes }, index) =>
        changes.map(({ step, field, text: { text, length } }) => (
          <div key={`${id} ${step} ${field}`} className="grid min-w-0 gap-1">
            <dt className="[overflow-wrap:anywhere]">
              <span className="font-medium">{letterOf(index)}</span> · other {field} of{" "}
              <code className="font-mono text-xs">{step}</code>
            </dt>
            <dd className="max-h-48 overflow-auto whitespace-pre-wrap rounded-md bg-surface-sunken px-3 py-2 [overflow-wrap:anywhere]">
              {text === "" ? <span className="text-text-muted">empty</span> : text}
              {length !== undefined && <span className="text-text-muted"> … {formatLength(length)} in all</span>}
            </dd>
          </div>
        )),
      )}
    </dl>
  );
}

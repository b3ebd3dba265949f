import { explainFailure } from "@/lib/core/trace/model/failure";
import type { RunNode } from "@/lib/core/trace/model/run-state";
import { formatDuration } from "../../_ui/format/format";

export function NodeErrors({ node }: { node: RunNode }) {
  const { error, attempts, startedAt, status } = node;
  const tried = status !== "SUCCESS" && attempts.length > 0;
  return (
    <div className="flex flex-col gap-3 p-4">
      {error && <Ending node={node} error={error} />}
      {attempts.map(({ attempt, at: failedAt, error: reason, waitMs }) => (
        <div key={attempt} className="border-l-2 border-warning pl-3">
          <p className="font-medium">
            Attempt {attempt} failed after {formatDuration(failedAt - startedAt)}
            {waitMs === undefined ? "" : `, waited ${formatDuration(waitMs)}`}
          </p>
          <p className="text-text-muted [overflow-wrap:anywhere]">
            {explainFailure(reason, null).word}: {reason.message} <Code code={reason.code} />
          </p>
        </div>
      ))}
      {attempts.length > 0 && !tried && <p className="text-text-muted">Attempt {attempts.length + 1} succeeded.</p>}
    </div>
  );
}

function Ending({ node, error }: { node: RunNode; error: NonNullable<RunNode["error"]> }) {
  const { word, sentence } = explainFailure(error, node);
  return (
    <div className="rounded-md border border-danger/40 bg-danger-soft p-3 text-danger">
      <p className="font-medium">
        {word}: {sentence} <Code code={error.code} />
      </p>
      <p className="mt-1 whitespace-pre-wrap [overflow-wrap:anywhere]">{error.message}</p>
    </div>
  );
}

const Code = ({ code }: { code: string }) => <span className="font-mono text-xs">({code})</span>;

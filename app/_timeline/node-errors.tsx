import type { RunNode } from "@/lib/core/trace/run-state";
import { formatDuration } from "../_ui/format";

/** What went wrong in a step: the error that ended it, and every attempt before. */
export function NodeErrors({ node }: { node: RunNode }) {
  return (
    <div className="flex flex-col gap-3 p-4">
      {node.error && (
        <div className="rounded-md border border-danger/40 bg-danger-soft p-3 text-danger">
          <p className="font-mono text-xs">{node.error.code}</p>
          <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{node.error.message}</p>
        </div>
      )}
      {node.attempts.map(({ attempt, at, error, waitMs }) => (
        <div key={attempt} className="border-l-2 border-warning pl-3">
          <p className="font-medium">
            Attempt {attempt} failed after {formatDuration(at - node.startedAt)}
            {waitMs === undefined ? "" : `, waited ${formatDuration(waitMs)}`}
          </p>
          <p className="text-text-muted [overflow-wrap:anywhere]">
            {error.message} <span className="font-mono text-xs">({error.code})</span>
          </p>
        </div>
      ))}
    </div>
  );
}

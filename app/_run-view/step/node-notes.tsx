import { isWarningCode } from "@/lib/core/run/events/warnings";
import type { RunNode } from "@/lib/core/trace/model/run-state";
import { warningLabels } from "../../_ui/badges/warning-badge";
import { formatDuration, formatExact } from "../../_ui/format/format";

export function NodeNotes({ node }: { node: RunNode }) {
  const { notes = [], question, answer, startedAt } = node;
  return (
    <div className="flex flex-col gap-3 p-4">
      {question && (
        <div className="border-l-2 border-warning pl-3">
          <p className="whitespace-pre-wrap font-medium [overflow-wrap:anywhere]">{question.message}</p>
          {answer ? (
            <p className="text-text-muted [overflow-wrap:anywhere]">
              <b className="text-text">{answer.by}</b> {answer.decision === "approved" ? "approved" : "rejected"} after{" "}
              {formatDuration(answer.at - question.at)}, at {formatExact(answer.at, "UTC")}
              {answer.reason ? `: ${answer.reason}` : "."}
              {answer.text !== undefined && <q className="mt-1 block whitespace-pre-wrap text-text">{answer.text}</q>}
            </p>
          ) : (
            <p className="text-text-muted">Not answered yet.</p>
          )}
        </div>
      )}
      {notes.map(({ at: notedAt, code, message, by: sender }) => (
        <div
          key={`${notedAt} ${code} ${message}`}
          className={`border-l-2 pl-3 ${isWarningCode(code) ? "border-warning" : "border-line-strong"}`}
        >
          <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            {isWarningCode(code) && <b className="text-warning">{warningLabels[code]}. </b>}
            {message}
          </p>
          <p className="text-text-muted text-xs">
            {sender !== undefined && `from ${sender}, `}after {formatDuration(notedAt - startedAt)}{" "}
            <span className="font-mono">({code})</span>
          </p>
        </div>
      ))}
    </div>
  );
}

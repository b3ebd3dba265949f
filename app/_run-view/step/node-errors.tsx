import type { ReactNode } from "react";
import { statusStyles } from "@/app/_ui/badges/status-badge";
import { MessageText } from "@/app/_ui/text/message-text";
import { explainFailure, failureWord } from "@/lib/core/trace/model/failure";
import { helpFor } from "@/lib/core/trace/model/failure-help";
import type { RunNode } from "@/lib/core/trace/model/run-state";
import { toShownStatus } from "@/lib/core/trace/model/shown-status";
import { formatDuration } from "../../_ui/format/format";
import { prettyJson } from "../../_ui/text/pretty-json";
import { Remedy } from "../remedy";

interface NodeErrorsProps {
  node: RunNode;
  runId: string;
  /** Null: the run comes from a file, and nothing can be done about it here. */
  flowId: string | null;
}

/** Why a step failed: the cause, what helps, the provider's answer, the attempts. */
export function NodeErrors({ node, runId, flowId }: NodeErrorsProps) {
  const { error, attempts } = node;
  const remedy = error && explainFailure(error, node).action;
  return (
    <div className="flex flex-col gap-4 p-4">
      {error && <Cause node={node} error={error} />}
      {error && error.code !== "cancelled" && (
        <Section title="What helps">
          <ol className="grid list-decimal gap-1.5 pl-5">
            {helpFor(error.code).map(({ todo, detail }) => (
              <li key={todo}>
                <b className="font-semibold">{todo}</b> {detail}
              </li>
            ))}
          </ol>
          {flowId !== null && remedy && remedy.type !== "retry" && (
            <div className="mt-3 flex flex-wrap items-center gap-2">
              <Remedy runId={runId} flowId={flowId} action={remedy} isPrimary />
            </div>
          )}
        </Section>
      )}
      {node.kind === "llm_call" && <ProviderAnswer node={node} />}
      {attempts.length > 0 && (
        <Section title="Attempts">
          <Attempts node={node} />
        </Section>
      )}
    </div>
  );
}

/** In UTF-16 units; the tab of the raw answer has the rest. */
const longestExcerpt = 2000;

/** With what the provider refused the last attempt. The text was redacted when it was recorded. */
function ProviderAnswer({ node: { error, metadata, response } }: { node: RunNode }) {
  const { httpStatus } = metadata;
  const text = response?.text ?? "";
  if (!error || (typeof httpStatus !== "number" && text === "")) return null;
  const excerpt = (prettyJson(text) ?? text).slice(0, longestExcerpt);
  return (
    <Section title="The provider's answer">
      {typeof httpStatus === "number" && httpStatus > 0 && (
        <p>
          Status <b className="font-semibold tabular-nums">{httpStatus}</b>
        </p>
      )}
      {excerpt !== "" && (
        <section
          aria-label="Text of the provider's answer"
          tabIndex={0}
          className="mt-1.5 max-h-60 overflow-auto whitespace-pre-wrap rounded-md bg-surface-sunken p-2.5 font-mono text-xs [overflow-wrap:anywhere]"
        >
          {excerpt}
          {text.length > longestExcerpt && " …"}
        </section>
      )}
    </Section>
  );
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title}>
    <h3 className="mb-2 font-semibold text-text-muted text-xs">{title}</h3>
    {children}
  </section>
);

function Cause({ node, error }: { node: RunNode; error: NonNullable<RunNode["error"]> }) {
  const { word, sentence } = explainFailure(error, node);
  const { icon: Icon, colors, tint } = statusStyles[toShownStatus(node.status, error.code)];
  return (
    <div className={`rounded-lg px-3.5 py-3 ${colors}`}>
      <p className={`flex items-center gap-2 font-semibold text-sm ${tint}`}>
        <Icon size={16} aria-hidden className="shrink-0" /> {word}
      </p>
      <p className="mt-1 text-text">
        {sentence} <span className="font-mono text-text-muted text-xs">({error.code})</span>
      </p>
      <p className="mt-1 whitespace-pre-wrap text-text-muted [overflow-wrap:anywhere]">
        <MessageText text={error.message} />
      </p>
    </div>
  );
}

const clock = (timeMs: number): string => {
  const moment = new Date(timeMs);
  const [hours, minutes, seconds] = [moment.getHours(), moment.getMinutes(), moment.getSeconds()];
  const parts = [hours, minutes, seconds].map((part) => String(part).padStart(2, "0"));
  return `${parts.join(":")}.${Math.floor(moment.getMilliseconds() / 100)}`;
};

function Attempts({ node: { attempts, startedAt, status, error } }: { node: RunNode }) {
  const starts = attempts.map((_, index) => {
    const before = attempts[index - 1];
    return before ? before.at + (before.waitMs ?? 0) : startedAt;
  });
  return (
    <>
      <ol className="text-xs">
        {attempts.map(({ attempt, at: failedAt, error: reason, waitMs }, index) => (
          <li key={attempt} className="border-b py-1.5">
            <p className="flex items-baseline gap-3 tabular-nums">
              <span className="text-text-muted">Attempt {attempt}</span>
              <span className="text-text-muted">{clock(starts[index] ?? startedAt)}</span>
              <span className="font-semibold text-danger">{failureWord(reason.code)}</span>
              <span className="text-text-muted">{formatDuration(failedAt - (starts[index] ?? startedAt))}</span>
              <span className="ml-auto text-right text-text-muted">
                {waitMs === undefined ? (error ? "gave up" : "") : `waited ${formatDuration(waitMs)}`}
              </span>
            </p>
            {reason.message !== error?.message && (
              <p className="mt-0.5 text-text-muted [overflow-wrap:anywhere]">
                <MessageText text={reason.message} />
              </p>
            )}
          </li>
        ))}
      </ol>
      {status === "SUCCESS" && <p className="mt-2 text-text-muted">Attempt {attempts.length + 1} succeeded.</p>}
    </>
  );
}

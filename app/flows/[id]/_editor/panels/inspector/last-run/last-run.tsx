import { ExternalLink } from "lucide-react";
import Link from "next/link";
import { statusStyles } from "@/app/_ui/badges/status-badge";
import { formatDuration, formatUsageCost, formatUsageTokens } from "@/app/_ui/format/format";
import { formatCount } from "@/lib/core/flow/format-count";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { useLastRun } from "../fields/use-last-run";
import { type NodeRunSummary, summarizeNodeRun } from "./summarize-node-run";

/** The figures of a node's last run, below its settings. Empty until the node has run. */
export function LastRunFoot({ nodeKey }: { nodeKey: NodeKey }) {
  const lastRun = useLastRun();
  const nodeRun = lastRun?.state ? summarizeNodeRun(lastRun.state, nodeKey) : null;
  if (!lastRun || !nodeRun) return null;
  return (
    <section aria-label="Last run" className="grid shrink-0 gap-2 border-line border-t p-3">
      <div className="flex items-center justify-between">
        <h3 className="font-semibold text-xs">Last run</h3>
        <Outcome nodeRun={nodeRun} />
      </div>
      <Figures nodeRun={nodeRun} />
      <TimelineLink run={lastRun.id} node={nodeRun.nodeId} />
    </section>
  );
}

export function LastRunDetail({ nodeKey }: { nodeKey: NodeKey }) {
  const lastRun = useLastRun();
  if (!lastRun) return <p className="text-text-muted text-xs">This flow has not run yet.</p>;
  if (!lastRun.state) return <p className="text-text-muted text-xs">Loading the run…</p>;
  const nodeRun = summarizeNodeRun(lastRun.state, nodeKey);
  if (!nodeRun)
    return (
      <div className="grid gap-2">
        <p className="text-text-muted text-xs">The last run did not reach this node.</p>
        <TimelineLink run={lastRun.id} />
      </div>
    );
  return (
    <div className="grid gap-4">
      <div className="flex items-center justify-between">
        <Outcome nodeRun={nodeRun} />
        {nodeRun.rounds > 1 && <span className="text-text-muted text-xs tabular-nums">{nodeRun.rounds} rounds</span>}
      </div>
      <Figures nodeRun={nodeRun} />
      {nodeRun.error !== null && <LongText title="Error" text={nodeRun.error} isError />}
      <LongText title="Answer" text={nodeRun.output.text} length={nodeRun.output.length} />
      <LongText title="Input" text={nodeRun.input.text} length={nodeRun.input.length} />
      <TimelineLink run={lastRun.id} node={nodeRun.nodeId} />
    </div>
  );
}

function Outcome({ nodeRun: { status, durationMs } }: { nodeRun: NodeRunSummary }) {
  const { word, icon: Icon, tint } = statusStyles[status];
  return (
    <span className={`flex items-center gap-1.5 font-medium text-xs tabular-nums ${tint}`}>
      <Icon size={14} aria-hidden />
      <span className={status === "SUCCESS" ? "sr-only" : ""}>{word}</span>
      {formatDuration(durationMs)}
    </span>
  );
}

function Figures({ nodeRun: { modelCalls, toolCalls, usage } }: { nodeRun: NodeRunSummary }) {
  const figures = [
    [formatCount(modelCalls), modelCalls === 1 ? "model call" : "model calls"],
    [formatCount(toolCalls), toolCalls === 1 ? "tool call" : "tool calls"],
    [formatUsageTokens(usage), "tokens"],
    [formatUsageCost(usage), "cost"],
  ] as const;
  return (
    <dl className="flex flex-wrap justify-between gap-x-3 gap-y-1">
      {figures.map(([value, label]) => (
        <div key={label} className="flex flex-col-reverse">
          <dt className="text-[11px] text-text-muted">{label}</dt>
          <dd className="font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const TimelineLink = ({ run, node }: { run: string; node?: number }) => (
  <Link
    href={node === undefined ? `/runs/${run}` : `/runs/${run}?node=${node}`}
    className="flex min-h-6 w-fit items-center gap-1.5 rounded font-medium text-accent-text text-xs hover:underline"
  >
    Show in timeline
    <ExternalLink size={12} aria-hidden />
  </Link>
);

const mostShown = 1200;

interface LongTextProps {
  title: string;
  text: string;
  /** Of the whole text, where only its beginning is here. */
  length?: number | undefined;
  isError?: boolean;
}

function LongText({ title, text, length = text.length, isError }: LongTextProps) {
  if (text === "") return null;
  const isCut = length > mostShown;
  return (
    <section aria-label={title} className="grid gap-1">
      <h3 className="flex justify-between font-medium text-text-muted text-xs">
        {title}
        <span className="font-normal text-text-faint tabular-nums">{formatCount(length)} characters</span>
      </h3>
      <p
        className={`whitespace-pre-wrap rounded-md bg-surface-sunken p-2 text-xs leading-5 [overflow-wrap:anywhere] ${isError ? "text-danger" : ""}`}
      >
        {text.slice(0, mostShown)}
        {isCut && "…"}
      </p>
    </section>
  );
}

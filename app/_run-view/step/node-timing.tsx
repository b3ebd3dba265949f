import * as z from "zod/mini";
import type { Json } from "@/lib/core/flow/flow";
import { formatCount } from "@/lib/core/flow/format-count";
import { toFirstTokenMs, toTokenClasses, toTokensPerSecond } from "@/lib/core/trace/model/call-metrics";
import type { RunNode } from "@/lib/core/trace/model/run-state";
import { Button } from "../../_ui/controls/button";
import { formatDuration, formatExact, formatTotalCost } from "../../_ui/format/format";
import { describePath } from "../../_ui/format/step-path";
import { type StepFact, toStepFacts } from "./step-facts";

const tokenNames = { input: "Input", cached: "Input from a cache", output: "Output", reasoning: "Reasoning" } as const;

interface NodeTimingProps {
  node: RunNode;
  now: number;
  onSelect(id: number): void;
}

/** When a step ran, what it used, what that cost by which prices, and which decision led to it. */
export function NodeTiming({ node, now, onSelect }: NodeTimingProps) {
  const { metadata, parent, usage } = node;
  const facts = [
    ...toTimes(node, now),
    ...toStepFacts(metadata),
    ...(node.request ? [["Provider", node.request.provider] satisfies StepFact] : []),
    ...(node.path === "" ? [] : [["Place", describePath(node.path)] satisfies StepFact]),
  ];
  return (
    <div className="flex flex-col gap-4 p-4">
      {usage.calls > 0 && <UsageTable node={node} />}
      {typeof metadata.decision === "number" && parent !== undefined && (
        <p className="flex flex-wrap items-center gap-2">
          {node.kind === "tool_call"
            ? `The agent's decision ${metadata.decision} was to run the requested tools.`
            : `The agent's decision ${metadata.decision} was to call the model.`}
          <Button size="small" onClick={() => onSelect(parent)}>
            Show the agent
          </Button>
        </p>
      )}
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-text-muted">{name}</dt>
            <dd className="whitespace-pre-line tabular-nums [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function toTimes(node: RunNode, now: number): StepFact[] {
  const { startedAt, endedAt, queuedMs, kind, metadata } = node;
  if (metadata.reused === true) return [["Reused", "from the run before: it was not done again and cost nothing"]];
  const firstToken = toFirstTokenMs(node);
  const speed = toTokensPerSecond(node);
  const facts: StepFact[] = [
    ["Started", formatExact(startedAt, "UTC")],
    ["Duration", formatDuration((endedAt ?? Math.max(now, startedAt)) - startedAt)],
  ];
  if (queuedMs !== undefined) facts.push(["Queued", formatDuration(queuedMs)]);
  if (kind !== "llm_call" && firstToken === null) return facts;
  facts.push(["Time to first token", firstToken === null ? "n/a" : formatDuration(firstToken)]);
  if (kind === "llm_call") facts.push(["Tokens per second", speed === null ? "n/a" : speed.toFixed(1)]);
  return facts;
}

/** The four classes of tokens, and what all of them cost. */
function UsageTable({ node: { usage, metadata } }: { node: RunNode }) {
  const mark = usage.estimated ? "≈ " : "";
  return (
    <div>
      <table className="w-full max-w-sm tabular-nums">
        <caption className="mb-1 text-left font-medium">
          Tokens of {formatCount(usage.calls)} model {usage.calls === 1 ? "call" : "calls"}
        </caption>
        <tbody>
          {toTokenClasses(usage).map(({ name, tokens }) => (
            <tr key={name} className="border-line border-t">
              <th scope="row" className="py-0.5 text-left font-normal text-text-muted">
                {tokenNames[name]}
              </th>
              <td className="text-right">{mark + formatCount(tokens)}</td>
            </tr>
          ))}
          <tr className="border-line-strong border-t font-medium">
            <th scope="row" className="py-0.5 text-left font-medium">
              Cost
            </th>
            <td className="text-right">{formatTotalCost(usage)}</td>
          </tr>
        </tbody>
      </table>
      <p className="mt-1 text-text-muted text-xs">
        {usage.estimated && "The provider reported no token counts: these are estimates. "}
        {describePrice(metadata.price)}
      </p>
    </div>
  );
}

const priceSchema = z.object({ date: z.string(), source: z.string() });

function describePrice(fact: Json | undefined): string {
  const price = priceSchema.safeParse(fact).data;
  return price ? `Prices of ${price.date}, from ${price.source}.` : "";
}

import type { Json } from "@/lib/core/flow/flow";
import type { RunNode } from "@/lib/core/trace/run-state";
import { formatCost, formatCount, formatDuration } from "../_ui/format";

/** What the engine's facts are called for people. */
const factNames: ReadonlyMap<string, string> = new Map([
  ["finishReason", "Finish reason"],
  ["model", "Model"],
  ["steps", "Steps"],
  ["signature", "Signatures"],
  ["isError", "Is an error"],
  ["decisions", "Decisions"],
  ["taken", "Side taken"],
  ["lane", "Lane"],
  ["rounds", "Rounds"],
  ["ended", "Ended by"],
  ["spawned", "Agents spawned"],
]);

/** A text as it is, a list line by line, anything else as JSON. */
function sayFact(value: Json): string {
  if (Array.isArray(value)) return value.map((one: Json) => sayFact(one)).join("\n");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** When a step ran and what it used, as a table of facts. */
export function NodeTiming({ node, now }: { node: RunNode; now: number }) {
  const { startedAt, endedAt, firstTokenAt, queuedMs, usage, path, request, metadata } = node;
  const end = endedAt ?? Math.max(now, startedAt);
  const mark = usage.estimated ? "≈ " : "";
  const facts: [string, string][] = [
    ["Started", new Date(startedAt).toISOString().replace("T", " ").replace("Z", " UTC")],
    ["Duration", formatDuration(end - startedAt)],
    ...(queuedMs === undefined ? [] : [["Waited for its turn", formatDuration(queuedMs)] satisfies [string, string]]),
    ...(firstTokenAt === undefined
      ? []
      : [["Time to first token", formatDuration(firstTokenAt - startedAt)] satisfies [string, string]]),
    ...(usage.calls === 0
      ? []
      : ([
          ["Model calls", formatCount(usage.calls)],
          ["Input tokens", mark + formatCount(usage.input)],
          ["of these cached", formatCount(usage.cached)],
          ["Output tokens", mark + formatCount(usage.output)],
          ["of these reasoning", formatCount(usage.reasoning)],
          ["Cost", formatCost(usage.cost)],
        ] satisfies [string, string][])),
    ...(request ? [["Provider", request.provider] satisfies [string, string]] : []),
    ...Object.entries(metadata)
      .filter(([key]) => key !== "toolCalls" && key !== "value")
      .map(([key, value]): [string, string] => [factNames.get(key) ?? key, sayFact(value)]),
    ["Path", path],
  ];
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 p-4">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-text-muted">{name}</dt>
          <dd className="whitespace-pre-line tabular-nums [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

import type { RunNodeKind } from "../../run/events/events";
import { isFailure } from "../../run/events/run-status";
import { addCosts, type Cost } from "../../run/events/usage";
import type { TraceView } from "../model/trace-view";
import { wallTime } from "./wall-time";

/** What steps are put together by: who did them. */
export const groupings = ["agent", "tool", "model"] as const;
export type Grouping = (typeof groupings)[number];

const kindOf: Record<Grouping, RunNodeKind> = { agent: "agent", tool: "tool_call", model: "llm_call" };

/** All steps of one agent, tool or model. */
export interface SpanGroup extends Cost {
  /** Of its name in the trace's table. */
  number: number;
  name: string;
  /** In order of starting. */
  spans: readonly number[];
  tokens: number;
  /** Milliseconds, one step after another: more than passed when steps ran at once. */
  time: number;
  /** Of these, how many failed. */
  failed: number;
}

/** The groups, the one that took longest first. What still runs counts until `now`. */
export function toGroups(trace: TraceView, grouping: Grouping, now: number): SpanGroup[] {
  const kind = kindOf[grouping];
  const groups = new Map<number, { spans: number[]; tokens: number; costs: Cost; time: number; failed: number }>();
  const { name, input, output } = trace.columns;
  for (let span = 0; span < trace.length; span++) {
    if (trace.kindOf(span) !== kind) continue;
    const number = name[span] ?? -1;
    const group = groups.get(number) ?? { spans: [], tokens: 0, costs: { cost: 0 }, time: 0, failed: 0 };
    groups.set(number, group);
    group.spans.push(span);
    group.tokens += (input[span] ?? 0) + (output[span] ?? 0);
    group.costs = addCosts(group.costs, trace.costOf(span));
    group.time += wallTime(trace, span, now);
    if (isFailure(trace.statusOf(span))) group.failed++;
  }
  return [...groups]
    .map(([number, { costs, ...group }]) => ({ ...group, ...costs, number, name: trace.names.at(number) }))
    .toSorted((a, b) => b.time - a.time || (a.name < b.name ? -1 : 1));
}

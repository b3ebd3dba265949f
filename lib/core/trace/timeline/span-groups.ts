import type { RunNodeKind } from "../../run/events/events";
import { isFailure } from "../../run/events/run-status";
import { addCosts, type Cost } from "../../run/events/usage";
import type { TraceView } from "../model/trace-view";
import { type TimeMeaning, toTimes } from "./span-times";
import { toOwnWallTimes } from "./wall-time";

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
  /** Of agents what they used themselves: the agents that they called are in groups of their own. */
  tokens: number;
  /**
   * Milliseconds, one step after another: more than passed when steps ran at once. Of agents without those in which they waited for
   * others that they had called.
   */
  time: number;
  /** Of these, how many failed. */
  failed: number;
}

/** The groups, the one that took longest first. What still runs counts until `now`. */
export function toGroups(
  trace: TraceView,
  grouping: Grouping,
  now: number,
  meaning: TimeMeaning = "wall",
): SpanGroup[] {
  const kind = kindOf[grouping];
  const times = meaning === "wall" ? toOwnWallTimes(trace, now) : toTimes(trace, meaning, now, { areOwn: true });
  const groups = new Map<number, { spans: number[]; tokens: number; costs: Cost; time: number; failed: number }>();
  const { name } = trace.columns;
  for (let span = 0; span < trace.length; span++) {
    if (trace.kindOf(span) !== kind) continue;
    const number = name[span] ?? -1;
    const group = groups.get(number) ?? { spans: [], tokens: 0, costs: { cost: 0 }, time: 0, failed: 0 };
    groups.set(number, group);
    group.spans.push(span);
    const usage = grouping === "agent" ? trace.ownUsageOf(span) : trace.usageOf(span);
    group.tokens += usage.input + usage.output;
    group.costs = addCosts(group.costs, usage);
    group.time += times[span] ?? 0;
    if (isFailure(trace.statusOf(span))) group.failed++;
  }
  return [...groups]
    .map(([number, { costs, ...group }]) => ({ ...group, ...costs, number, name: trace.names.at(number) }))
    .toSorted((a, b) => b.time - a.time || (a.name < b.name ? -1 : 1));
}

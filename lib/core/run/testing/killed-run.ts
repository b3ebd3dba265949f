import { hasErrors } from "../../flow/problem";
import { readSource } from "../../source/read-source";
import type { RunEvent } from "../events/events";
import type { RunContext } from "../ports/run-context";
import type { RunOptions } from "../ports/run-options";
import type { Tool } from "../ports/tool";
import { runFlow } from "../run-flow";
import { toJournal } from "./run-shapes";
import type { Script } from "./scripted-model";
import { makeScriptedWorld } from "./scripted-run";
import type { VirtualClock } from "./virtual-clock";

/** The processes of one run, one after another: each goes on from what the earlier ones recorded. */
export interface RunSketch {
  source: string;
  script: Script;
  tools?: readonly Tool[];
  context?: (clock: VirtualClock) => Partial<RunContext>;
  options?: Omit<RunOptions, "journal">;
}

/** When a process ends although the run goes on: once this holds of what it recorded, with all that is still moving dropped. */
export type IsKilled = (events: readonly RunEvent[]) => boolean;

/**
 * The events of the next process of a run. It is killed as soon as nothing moves and `isKilled` holds of all events of the
 * run so far; without `isKilled` it goes on to the end.
 */
export async function continueRun(
  { source, script, tools, context, options }: RunSketch,
  before: readonly RunEvent[] = [],
  isKilled: IsKilled = () => false,
): Promise<RunEvent[]> {
  const world = makeScriptedWorld(script, tools);
  const { flow, problems } = readSource(source, {
    tools: [...(tools ?? []).map(({ spec }) => spec.name), "ask_human"],
  });
  if (hasErrors(problems)) throw new Error(problems.map(({ message }) => message).join("\n"));
  const startedAt = before.at(-1)?.at ?? 0;
  const runContext = { ...world.context, now: () => startedAt + world.clock.now(), ...context?.(world.clock) };
  const journal = before.length === 0 ? undefined : toJournal(before);
  const events = [...before];
  let isOver = false;
  const consume = async (): Promise<void> => {
    for await (const event of runFlow(flow, "Q", runContext, { runId: "run", ...options, journal })) events.push(event);
    isOver = true;
  };
  void consume();
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    if (isKilled(events)) return [...events];
    if (!isOver && !world.clock.advance()) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return events;
}

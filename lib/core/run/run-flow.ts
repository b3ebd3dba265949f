import type { Flow } from "../flow/flow";
import { EventChannel } from "./channel";
import type { RunContext } from "./context";
import { type Engine, type Place, runStep, toFailure, toInternalFailure } from "./engine";
import type { RunEvent } from "./events";
import type { Message } from "./messages";
import { Recorder, type StepResult } from "./recorder";
import { resolveFlow } from "./resolve-flow";
import { runStage } from "./run-stage";
import { Scope, Stop } from "./scope";

/** The path of the root swarm's node. No other path is like it: names have no bare `/`. */
const rootPath = "/";

/**
 * Runs a flow on an input: the one loop behind streaming, the store and the command line. Nothing happens until the first
 * event is asked for. The first event is `run.started`, the last one `run.finished`, exactly once, whatever goes wrong;
 * every node that started is finished before it. Never throws.
 *
 * Before a model or a tool is called, the consumer has taken in (asked for what follows) the start of that call and all
 * events before it: what a step depends on is stored before the step begins. Leaving early (`return`, `break`) stops
 * everything that runs.
 *
 * `messages` are put before the question of every agent of the root swarm, its groups included; a nested swarm starts
 * without them.
 */
export function runFlow(
  flow: Flow,
  input: string,
  context: RunContext,
  { messages = [] }: { messages?: readonly Message[] } = {},
): AsyncGenerator<RunEvent, void> {
  const scope = new Scope();
  const cancel = (): void =>
    scope.stopBecause(new Stop("CANCELLED", { code: "cancelled", message: "The run was cancelled." }));
  const channel: EventChannel = new EventChannel({ start: () => perform(), stop: cancel });
  const engine: Engine = { flow, context, recorder: new Recorder(channel, context.now) };

  const perform = async (): Promise<void> => {
    engine.recorder.startRun(flow.name, input);
    engine.recorder.finishRun(await attempt());
  };
  const attempt = async (): Promise<StepResult> => {
    if (context.signal.aborted) cancel();
    context.signal.addEventListener("abort", cancel);
    try {
      limitTime(scope, context);
      return await runRoot(engine, { key: "", history: messages, scope }, input);
    } catch (error) {
      return toInternalFailure(error);
    } finally {
      context.signal.removeEventListener("abort", cancel);
      scope.close();
    }
  };
  return channel;
}

function limitTime(scope: Scope, { maxSeconds, sleep }: RunContext): void {
  if (maxSeconds === undefined) return;
  const message = `The run did not end within ${maxSeconds} s. Raise its time limit, or ask for less.`;
  scope.stopAfter(maxSeconds, new Stop("TIMEOUT", { code: "limit", message }), sleep);
}

async function runRoot(engine: Engine, inner: Omit<Place, "parent">, input: string): Promise<StepResult> {
  const resolved = resolveFlow(engine.flow);
  if (!resolved.ok) return toFailure(resolved.error);
  const { name, body } = resolved.root;
  const step = { path: rootPath, kind: "swarm", name, input } as const;
  return runStep(engine, step, (id) => runStage(engine, body, { ...inner, parent: id }, input));
}

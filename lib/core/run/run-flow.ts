import type { Flow } from "../flow/flow";
import { EventChannel } from "./events/event-channel";
import { EventRecorder, type NodeResult } from "./events/event-recorder";
import type { RunEvent } from "./events/events";
import { runNode } from "./modes/registry";
import { resolveFlow } from "./plan/resolve-flow";
import type { RunContext } from "./ports/run-context";
import type { RunOptions } from "./ports/run-options";
import { Budget, toLowest } from "./scope/budget";
import { CallEstimator } from "./scope/call-estimator";
import { CancelScope, ScopeStop } from "./scope/cancel-scope";
import type { Engine } from "./scope/engine";
import { toFailure, toInternalFailure } from "./scope/node-result";
import { recordNode } from "./scope/record-node";

/** The path of the root swarm's node. No other node has it: names contain no bare `/`. */
const rootPath = "/";

/**
 * Runs a flow on an input: the engine of streaming, the store and the command line. Nothing happens until the first event
 * is requested. The first event is `run.started`, the last one `run.finished`, exactly once, even after failures; every
 * node that started is finished before it. Never throws.
 *
 * Before a model or a tool is called, the consumer has processed (by requesting the next event) the start of that call and
 * all events before it: what a step depends on is stored before the step begins. Leaving early (`return`, `break`) stops
 * everything that is running.
 *
 * A pause that is requested takes effect before the next step: once nothing is under way, `run.paused` is recorded, and
 * the consumer leaves.
 *
 * With the journal of a run that stopped, the run continues: the first event is `run.resumed`, what has ended is taken
 * from the journal without events, and what was under way is done again.
 */
export function runFlow(
  flow: Flow,
  input: string,
  context: RunContext,
  options: RunOptions = {},
): AsyncGenerator<RunEvent, void> {
  const scope = new CancelScope();
  const cancel = (): void =>
    scope.stopBecause(new ScopeStop("CANCELLED", { code: "cancelled", message: "The run was cancelled." }));
  const channel: EventChannel = new EventChannel(
    { start: () => perform(), stop: cancel },
    options.bus,
    options.journal?.seq,
  );
  const limits = toLowest({ ...flow.limits, ...options.limits }, context.ceilings);
  const budget = new Budget({ ...limits, max_calls: context.concurrentCalls }, scope);
  const recorder = new EventRecorder(channel, context.now, options.journal);
  const estimator = new CallEstimator();
  const engine: Engine = {
    flow,
    context,
    options,
    recorder,
    budget,
    estimator,
    scope,
    outputs: new Map(),
    runNode: (planNode, position, input) => runNode({ engine, planNode, position, input }),
  };

  const perform = async (): Promise<void> => {
    if (options.journal?.seq) recorder.resumeRun();
    else recorder.startRun(flow.name, input, options.simulated);
    if (context.signal.aborted) cancel();
    context.signal.addEventListener("abort", cancel);
    options.pause?.open(recorder);
    const result = await runRoot(engine, input).catch(toInternalFailure);
    context.signal.removeEventListener("abort", cancel);
    scope.close();
    options.inbox?.close();
    options.pause?.close();
    recorder.finishRun(result);
  };
  return channel;
}

async function runRoot(engine: Engine, input: string): Promise<NodeResult> {
  const { flow, context, options, recorder, scope, budget } = engine;
  const { max_seconds: seconds } = budget.limits;
  if (seconds !== undefined) {
    const message = `The run did not end within ${seconds} s. Raise its time limit, or ask for less.`;
    const restSeconds = Math.max(seconds - (options.journal?.elapsedMs ?? 0) / 1000, 0);
    scope.stopAfter(restSeconds, { code: "limit", message }, context.sleep);
  }
  const plan = await resolveFlow(flow);
  if (!plan.ok) return toFailure(plan.error);
  const { name, body } = plan.root;
  const start = { path: rootPath, kind: "swarm", name, input } as const;
  return recordNode(engine, start, async (parent) => {
    try {
      return await engine.runNode(body, { parent, path: "", history: options.messages ?? [], scope }, input);
    } finally {
      for (const { agent, text, by: sender } of options.inbox?.close() ?? []) {
        const message = `A message${sender === undefined ? "" : ` of ${sender}`} to "${agent}" was not delivered: the agent called no model after it came. It was: ${text}`;
        recorder.note(parent, "message-not-delivered", message);
      }
    }
  });
}

import type * as z from "zod/mini";
import type { Flow } from "../flow/flow";
import { runParametersSchema } from "../flow/schemas/run-parameters";
import { toTokens } from "./events/count-tokens";
import { EventChannel } from "./events/event-channel";
import { EventRecorder, type NodeResult } from "./events/event-recorder";
import type { RunEvent } from "./events/events";
import { addUsage, noUsage, type Usage } from "./events/usage";
import type { JournalStep } from "./journal/journal";
import { sumLeftUsage } from "./journal/left-usage";
import { runNode } from "./modes/registry";
import { resolveFlow } from "./plan/resolve-flow";
import type { RunContext } from "./ports/run-context";
import type { RunOptions } from "./ports/run-options";
import { Budget, toLowest } from "./scope/budget";
import { CallEstimator, estimateUsage, toUse } from "./scope/call-estimator";
import { CancelScope, ScopeStop } from "./scope/cancel-scope";
import type { Engine } from "./scope/engine";
import { toFailure, toInternalFailure, toStopped } from "./scope/node-result";
import { recordNode } from "./scope/record-node";
import { watchWorkLimit } from "./scope/work-limit";

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
  const parameters = runParametersSchema.safeParse(options.journal?.parameters ?? options.parameters ?? {});
  const engine: Engine = {
    flow,
    context,
    options,
    parameters: parameters.data ?? {},
    recorder,
    budget,
    estimator,
    scope,
    outputs: options.journal?.outputsBefore() ?? new Map(),
    runNode: (planNode, position, input) => runNode({ engine, planNode, position, input }),
  };

  const perform = async (): Promise<void> => {
    if (options.journal?.seq) recorder.resumeRun();
    else recorder.startRun(flow.name, input, { simulated: options.simulated, parameters: engine.parameters });
    if (context.signal.aborted) cancel();
    context.signal.addEventListener("abort", cancel);
    chargeEarlierCalls(engine);
    options.pause?.open(recorder);
    const endWatch = watchWorkLimit(engine);
    const result = parameters.success
      ? await runRoot(engine, input).catch(toInternalFailure)
      : toInvalidParameters(parameters.error);
    endWatch();
    context.signal.removeEventListener("abort", cancel);
    scope.close();
    options.inbox?.close();
    options.pause?.close();
    const abandoned = endAbandoned(engine);
    recorder.finishRun({ ...result, usage: addUsage(result.usage, abandoned) });
  };
  return channel;
}

function toInvalidParameters({ issues: [issue] }: z.core.$ZodError): NodeResult {
  const field = issue?.path.join(".") ?? "";
  const message = `The parameters of the run are not valid${field === "" ? "" : `: ${field}`}: ${issue?.message ?? "not valid"}.`;
  return toFailure({ code: "invalid-parameters", message });
}

/** Counts the calls that earlier executors made, wherever in the run and however what is around them ended. */
function chargeEarlierCalls({ budget, context, options: { journal } }: Engine): void {
  if (!budget.countsUse) return;
  for (const { kind, name, result } of journal?.listEnded() ?? []) {
    if (kind !== "llm_call" || result.usage.calls === 0) continue;
    const model = context.models.find(name);
    const { input, output, cost } = result.usage;
    budget.charge(model ? toUse(model, result.usage) : { tokens: input + output, cost: cost ?? 0 });
  }
}

/**
 * Ends steps that an earlier executor began and that the run did not come to again: it was stopped before, or took another
 * way. Returns what they used.
 */
function endAbandoned(engine: Engine): Usage {
  const { recorder, scope, options } = engine;
  const { journal } = options;
  const message = "The run went on without this step after its server had stopped.";
  const stop = scope.stop ?? new ScopeStop("CANCELLED", { code: "cancelled", message });
  const usages = journal && sumLeftUsage(journal, (step) => toOpenUsage(engine, step));
  for (const { id } of journal?.listAbandoned().toReversed() ?? [])
    recorder.finishNode(id, { ...toStopped(stop), usage: usages?.get(id) ?? noUsage });
  return usages?.get(null) ?? noUsage;
}

/** What the attempts of a call used: of those that were interrupted, estimated. */
function toOpenUsage({ context }: Engine, step: JournalStep): Usage {
  const { name, attemptUsage, isRequestSent, uncountedAttempts, inputTokens, streamedBytes } = step;
  const calls = uncountedAttempts + Number(isRequestSent);
  if (calls === 0) return attemptUsage;
  const output = toTokens(streamedBytes.interrupted + streamedBytes.current);
  const used = estimateUsage(context.models.find(name), { input: calls * inputTokens, output }, calls);
  return addUsage(attemptUsage, used);
}

async function runRoot(engine: Engine, input: string): Promise<NodeResult> {
  const { flow, context, options, recorder, scope, budget } = engine;
  const { max_seconds: seconds } = budget.limits;
  if (seconds !== undefined) {
    const message = `The run did not end within ${seconds} s. Raise its time limit, or ask for less.`;
    const restSeconds = Math.max(seconds - (options.journal?.elapsedMs ?? 0) / 1000, 0);
    scope.stopAfter(restSeconds, { code: "limit", message }, context.sleep);
  }
  const plan = await resolveFlow(flow, context.answers);
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

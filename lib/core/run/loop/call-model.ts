import type { Agent } from "../../kinds/agent";
import type { NodeResult } from "../events/event-recorder";
import { type AssistantMessage, type Message, trimOldest } from "../events/messages";
import { addUsage, noUsage, type Usage } from "../events/usage";
import { callHooks } from "../ports/hooks";
import {
  isTransient,
  type ModelEvent,
  type ModelFailure,
  type ModelRequest,
  type ResolvedModel,
  type ToolSpec,
} from "../ports/model";
import { type CallUse, noUse, toNoEstimate } from "../scope/budget";
import { type CallForecast, toInterruptedUse, toUse } from "../scope/call-estimator";
import { type Engine, type RunPosition, recordNode, toErrorMessage, toFailure, toStopped } from "../scope/engine";
import { type CancelScope, ScopeStop } from "../scope/scope";
import { recordAnswerNotes } from "./answer-notes";

/** One model call of an agent, with everything that is tried for it. */
export interface ModelCall {
  agent: Agent;
  resolvedModel: ResolvedModel;
  messages: readonly Message[];
  /** The messages as JSON text. */
  messagesJson: string;
  tools: readonly ToolSpec[];
  path: string;
  /** The place, from 1, of the agent's decision that led to it. */
  decision?: number;
}

/** On success with the answer as a message; `trimmed`: the messages that were left after some had to go. */
export type ModelCallResult = NodeResult & { message?: AssistantMessage; trimmed?: readonly Message[] };

/** First wait before trying again, doubled each time; waits, also those that a provider asks for, end at `longest`. */
const retryWaits = { first: 1000, longest: 60_000, jitter: 0.25 } as const;

/** What became of one attempt while its stream was read. */
interface Attempt {
  sent: boolean;
  text: string;
  /** Text or reasoning was handed on: nothing may be said twice. */
  delivered: boolean;
}

/** Asks the agent's model; when it gave no answer, its fallback model once, as a node of its own. */
export function callModelWithFallback(engine: Engine, place: RunPosition, call: ModelCall): Promise<ModelCallResult> {
  const asked = callModel(engine, place, call, call.agent.model ?? call.resolvedModel.name);
  const { fallback_model: fallback } = call.agent;
  return fallback === undefined ? asked : asked.then((first) => fallBack(engine, place, { call, fallback, first }));
}

async function fallBack(
  engine: Engine,
  place: RunPosition,
  { call, fallback, first }: { call: ModelCall; fallback: string; first: ModelCallResult },
): Promise<ModelCallResult> {
  if (first.message || place.scope.stop) return first;
  const found = engine.context.models.find(fallback);
  if (!found) return first;
  engine.recorder.note(
    place.parent,
    "fallback",
    `${call.agent.model} gave no answer (${first.error?.message}): asking ${fallback}.`,
  );
  const second = await callModel(
    engine,
    place,
    { ...call, resolvedModel: found, path: `${call.path}#fallback` },
    fallback,
  );
  return { ...second, usage: addUsage(first.usage, second.usage) };
}

/** Asks a model, again after transient failures as long as nothing was delivered, as one llm_call node. */
function callModel(engine: Engine, place: RunPosition, call: ModelCall, name: string): Promise<ModelCallResult> {
  const { path, messages, messagesJson: input, decision } = call;
  const { hooks } = engine.options;
  const told = { agent: call.agent.name, path };
  return recordNode(engine, { parent: place.parent, path, kind: "llm_call", name, input }, async (id) => {
    await engine.recorder.settled();
    if (hooks) await callHooks(engine, { ...told, point: "PRE_LLM_CALL", messages });
    const scope = place.scope.open();
    const result = await tryUntilAnswered(engine, scope, call, id);
    scope.close();
    const { output: text, error } = result;
    if (hooks) await callHooks(engine, { ...told, point: "POST_LLM_CALL", text, error });
    return decision === undefined ? result : { ...result, metadata: { ...result.metadata, decision } };
  });
}

async function tryUntilAnswered(
  engine: Engine,
  scope: CancelScope,
  call: ModelCall,
  id: number,
): Promise<ModelCallResult> {
  let request = toRequest(call, scope.signal);
  let trimmed: readonly Message[] | undefined;
  const simulated = call.resolvedModel.provider === "demo";
  let usage = noUsage;
  for (let number = 1; ; number++) {
    if (scope.stop) return { ...toStopped(scope.stop), usage, simulated };
    const attempt: Attempt = { sent: false, text: "", delivered: false };
    const slot = mustWait(engine, call) ? await enter(engine, scope, { call, request, attempt, id }) : null;
    if (slot instanceof ScopeStop) return { ...toStopped(slot), usage, simulated };
    const end = await scope.guard(readStream(engine, scope, { call, request, attempt, id }));
    slot?.leave(end);
    if (!(end instanceof ScopeStop) && end.type === "done") {
      recordAnswerNotes(engine.recorder, id, call.agent, end);
      return { ...toAnswer(end, usage, simulated, call), ...(trimmed && { trimmed }) };
    }
    usage = addUsage(usage, toFailedUsage(attempt, simulated, end));
    if (end instanceof ScopeStop) return { ...toStopped(end), output: attempt.text, usage, simulated };

    const { failure } = end;
    if (failure.class === "context-length" && call.agent.trim_context && !trimmed && !attempt.delivered) {
      trimmed = trimOldest(request.messages);
      const gone = request.messages.length - trimmed.length;
      if (gone > 0) {
        engine.recorder.failAttempt(id, number, { code: failure.class, message: failure.message }, 0);
        engine.recorder.note(
          id,
          "trimmed",
          `The conversation was too long for the model: its ${gone} oldest messages were left out.`,
        );
        request = { ...request, messages: trimmed };
        continue;
      }
    }
    const canRetry = isTransient(failure) && !attempt.delivered && number < mostAttempts(engine, call.agent);
    const waitMs = canRetry ? toWait(number, failure, engine.context.random()) : undefined;
    const error = { code: failure.class, message: failure.message };
    engine.recorder.failAttempt(id, number, error, waitMs);
    if (waitMs === undefined) return { ...toFailure(error), output: attempt.text, usage, simulated };

    await scope.guard(engine.context.sleep(waitMs, scope.signal));
  }
}

const mustWait = ({ budget }: Engine, { resolvedModel: found }: ModelCall): boolean =>
  budget.isLimited || found.admit !== undefined;

/** Retries come on top of the first attempt; in Orbiter they are all attempts. */
const mostAttempts = ({ flow }: Engine, { max_retries }: Agent): number =>
  flow.compat === "orbiter" ? Math.max(1, max_retries) : max_retries + 1;

/** Waits for the run's budget, then for a turn at the provider; how long is recorded apart from the call itself. */
async function enter(
  { budget, context, estimator, recorder }: Engine,
  scope: CancelScope,
  { call: { resolvedModel: found }, request, attempt, id }: AttemptStream,
): Promise<{ leave(end: Done | Failed | ScopeStop): void } | ScopeStop> {
  const from = context.now();
  const forecast = budget.countsUse ? estimator.forecast(found, request) : undefined;
  const reservation = budget.isLimited ? await budget.reserve(forecast?.estimate ?? toNoEstimate, scope) : null;
  const release = reservation instanceof ScopeStop ? reservation : await admit(scope, found);
  const waitMs = context.now() - from;
  if (waitMs > 0) recorder.queueAttempt(id, waitMs);
  if (reservation instanceof ScopeStop) return reservation;
  if (release instanceof ScopeStop) {
    reservation?.settle(noUse);
    return release;
  }
  return {
    leave: (end) => {
      release();
      const isDone = !(end instanceof ScopeStop) && end.type === "done";
      if (forecast && isDone) estimator.observe(found, forecast.size, end.usage);
      reservation?.settle(forecast ? toUseOf(found, attempt, end, forecast) : noUse);
    },
  };
}

const free = (): void => undefined;

/** Waits for a turn at the provider; gives what must be called when the call has ended. */
async function admit(scope: CancelScope, found: ResolvedModel): Promise<(() => void) | ScopeStop> {
  if (!found.admit) return free;
  const admitted = found.admit(scope.signal).catch(() => free);
  const release = await scope.guard(admitted);
  if (release instanceof ScopeStop) void admitted.then((late) => late());
  return release;
}

/** What an attempt counts for in the run's budget. */
function toUseOf(
  found: ResolvedModel,
  attempt: Attempt,
  end: Done | Failed | ScopeStop,
  { size }: CallForecast,
): CallUse {
  if (!(end instanceof ScopeStop) && end.type === "done") return toUse(found, end.usage);
  const wasSent = attempt.sent || attempt.delivered;
  return wasSent && !isRefused(attempt, end) ? toInterruptedUse(found, size, attempt.text) : noUse;
}

function toRequest({ agent, resolvedModel: found, messages, tools }: ModelCall, signal: AbortSignal): ModelRequest {
  return {
    agent: agent.name,
    model: found.name,
    messages,
    tools,
    ...(agent.temperature !== undefined && { temperature: agent.temperature }),
    ...(agent.max_tokens !== undefined && { max_tokens: agent.max_tokens }),
    ...(agent.output_schema !== undefined && { output_schema: agent.output_schema }),
    signal,
  };
}

/** Milliseconds until attempt `number` + 1: what the provider asks for, else 1, 2, 4 … s and up to a quarter more. */
function toWait(number: number, { retryAfterMs }: ModelFailure, random: number): number {
  const wait = retryAfterMs ?? retryWaits.first * 2 ** (number - 1) * (1 + retryWaits.jitter * random);
  return Math.min(Math.max(wait, 0), retryWaits.longest);
}

/** What an attempt without an answer used: nothing when it was refused or never sent, an unknown sum when it was cut off. */
function toFailedUsage({ sent, delivered }: Attempt, simulated: boolean, end: Failed | ScopeStop): Usage {
  if (!sent && !delivered && !(end instanceof ScopeStop)) return noUsage;
  return { ...noUsage, calls: 1, cost: simulated || isRefused({ delivered }, end) ? 0 : null };
}

const isRefused = ({ delivered }: Pick<Attempt, "delivered">, end: Failed | ScopeStop): boolean =>
  !delivered && !(end instanceof ScopeStop) && end.failure.status !== undefined;

function toAnswer(end: Done, before: Usage, simulated: boolean, { resolvedModel: found }: ModelCall): ModelCallResult {
  const { message, finishReason, model = found.name, price } = end;
  const toolCalls = (message.toolCalls ?? []).map(({ id, name, arguments: text }) => ({ id, name, arguments: text }));
  return {
    status: "SUCCESS",
    output: message.content,
    usage: addUsage(before, end.usage),
    simulated: simulated || end.simulated === true,
    metadata: { finishReason, toolCalls, model, ...(price && { price }) },
    message,
  };
}

interface AttemptStream {
  call: ModelCall;
  request: ModelRequest;
  attempt: Attempt;
  id: number;
}

type Done = Extract<ModelEvent, { type: "done" }>;
type Failed = Extract<ModelEvent, { type: "failed" }>;

/** Records a stream while it comes, and gives its last word. Whatever goes wrong with it is a failure, never an exception. */
async function readStream(
  { recorder }: Engine,
  scope: CancelScope,
  { call, request, attempt, id }: AttemptStream,
): Promise<Done | Failed> {
  try {
    for await (const event of call.resolvedModel.model.stream(request)) {
      if (scope.stop) break;
      if (event.type === "done" || event.type === "failed") {
        if (event.response !== undefined) recorder.receiveResponse(id, event.response);
        return event;
      }
      if (event.type === "sent") {
        attempt.sent = true;
        recorder.sendRequest(id, event);
      } else if (event.text !== "") {
        attempt.delivered = true;
        if (event.type === "text") attempt.text += event.text;
        recorder.append(id, event.type, event.text);
      }
      if (recorder.isFull) await recorder.settled();
    }
    return toUnknown("The model's stream ended without an answer.");
  } catch (error) {
    return toUnknown(`The model's stream broke: ${toErrorMessage(error)}`);
  }
}

const toUnknown = (message: string): Failed => ({ type: "failed", failure: { class: "unknown", message } });

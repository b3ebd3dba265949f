import * as z from "zod/mini";
import type { Agent } from "../../kinds/agent";
import { countTokens, toTokens } from "../events/count-tokens";
import type { NodeResult } from "../events/event-recorder";
import {
  type AssistantMessage,
  type Message,
  toolCallSchema,
  trimOldest,
  writtenPartsSchema,
} from "../events/messages";
import { addUsage, noUsage, type Usage } from "../events/usage";
import { interruptedCode, isUnanswered, type JournalStep } from "../journal/journal";
import {
  isTransient,
  type ModelEventOf,
  type ModelFailure,
  type ModelRequest,
  type ResolvedModel,
  type ToolSpec,
} from "../ports/model";
import { type CallUse, noEstimate, noUse } from "../scope/budget";
import { type CallForecast, estimateUsage, toInterruptedUse, toUse } from "../scope/call-estimator";
import { type CancelScope, ScopeStop } from "../scope/cancel-scope";
import type { Engine, RunPosition } from "../scope/engine";
import { toErrorMessage, toFailure, toStopped } from "../scope/node-result";
import { recordCall } from "../scope/record-node";
import { recordAnswerNotes } from "./answer-notes";
import { callHooks } from "./call-hooks";

/** One model call of an agent, including its retries and fallback. */
export interface ModelCall {
  agent: Agent;
  resolvedModel: ResolvedModel;
  messages: readonly Message[];
  /** Writes the messages as JSON text: a call that waits for its turn does not hold it. */
  writeMessages(): string;
  tools: readonly ToolSpec[];
  path: string;
  /** The number, from 1, of the agent's decision that led to it. */
  decision?: number;
}

/** On success with the answer as a message; `trimmed`: the remaining messages, if the oldest had to be left out. */
export type ModelCallResult = NodeResult & { message?: AssistantMessage; trimmed?: readonly Message[] };

/** Wait before the first retry, doubled for each further one; every wait, even one that a provider requests, is at most `longest`. */
const retryWaits = { shortest: 1000, longest: 60_000, jitter: 0.25 } as const;

/** The progress of one attempt while its stream is read. */
interface Attempt {
  engine: Engine;
  scope: CancelScope;
  id: number;
  call: ModelCall;
  request: ModelRequest;
  sent: boolean;
  text: string;
  /** Text or reasoning was recorded: a retry would repeat it. */
  delivered: boolean;
}
type AnsweredAttempt = ModelEventOf<"done">;
type FailedAttempt = ModelEventOf<"failed">;
type AttemptEnd = AnsweredAttempt | FailedAttempt | ScopeStop;

/** Calls the agent's model; if that fails, its fallback model once, as a node of its own. */
export function callModelWithFallback(
  engine: Engine,
  position: RunPosition,
  call: ModelCall,
): Promise<ModelCallResult> {
  const result = callModel(engine, position, call, call.agent.model ?? call.resolvedModel.name);
  return call.agent.fallback_model === undefined
    ? result
    : result.then((ended) => fallBack(engine, position, call, ended));
}

async function fallBack(
  engine: Engine,
  position: RunPosition,
  call: ModelCall,
  failed: ModelCallResult,
): Promise<ModelCallResult> {
  const { model, fallback_model: fallback = "" } = call.agent;
  const resolvedModel = failed.message || position.scope.stop ? null : engine.context.models.find(fallback);
  if (!resolvedModel) return failed;
  const message = `${model} gave no answer (${failed.error?.message}): asking ${fallback}.`;
  engine.recorder.note(position.parent, "fallback", message);
  const fallbackCall = { ...call, resolvedModel, path: `${call.path}#fallback` };
  const result = await callModel(engine, position, fallbackCall, fallback);
  return { ...result, usage: addUsage(failed.usage, result.usage) };
}

/** Calls a model as one llm_call node, with retries after transient failures as long as nothing was delivered. */
function callModel(engine: Engine, position: RunPosition, call: ModelCall, name: string): Promise<ModelCallResult> {
  const { path, messages, decision } = call;
  const { hooks, journal } = engine.options;
  const hookContext = { agent: call.agent.name, path };
  const ended = journal?.recall(path);
  if (ended) return Promise.resolve(recallCall(call, ended.result));
  const step = journal?.find(path);
  const start = {
    parent: position.parent,
    path,
    kind: "llm_call",
    name,
    get input() {
      return call.writeMessages();
    },
  } as const;
  return recordCall(engine, start, async (id) => {
    await engine.recorder.settled();
    if (hooks) await callHooks(engine, { ...hookContext, point: "PRE_LLM_CALL", messages });
    const scope = position.scope.open();
    const result = await tryUntilAnswered(engine, scope, call, id, step);
    scope.close();
    const { output: text, error } = result;
    if (hooks) await callHooks(engine, { ...hookContext, point: "POST_LLM_CALL", text, error });
    return decision === undefined ? result : { ...result, metadata: { ...result.metadata, decision } };
  });
}

/** The result of a call that an earlier executor made. */
function recallCall(call: ModelCall, result: NodeResult): ModelCallResult {
  if (result.status !== "SUCCESS") return result;
  const { toolCalls, written, wasTrimmed } = recalledFactsSchema.parse(result.metadata ?? {});
  const message: AssistantMessage = {
    role: "assistant",
    content: result.output,
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(written && { written }),
  };
  return { ...result, message, ...(wasTrimmed && { trimmed: trimOldest(call.messages) }) };
}

const recalledFactsSchema = z.object({
  toolCalls: z._default(z.array(toolCallSchema), []),
  written: z.optional(writtenPartsSchema),
  wasTrimmed: z._default(z.boolean(), false),
});

/** Records how the attempt of an earlier executor ended; returns what all attempts of earlier executors used, estimated. */
function endInterruptedAttempt(
  { engine, id, call, request }: Pick<Attempt, "engine" | "id" | "call" | "request">,
  { isRequestSent, failedAttempts, streamedBytes, uncountedAttempts, attemptUsage }: JournalStep,
): Usage {
  const { size } = engine.estimator.forecast(call.resolvedModel, request);
  const estimate = (calls: number, bytes: number): Usage =>
    calls === 0 ? noUsage : estimateUsage(call.resolvedModel, { input: calls * size, output: toTokens(bytes) }, calls);
  let usage = addUsage(attemptUsage, estimate(uncountedAttempts, streamedBytes.interrupted));
  if (isRequestSent) {
    const message = "The server stopped during this attempt.";
    const used = estimate(1, streamedBytes.current);
    const error = { code: interruptedCode, message };
    engine.recorder.failAttempt(id, { attempt: failedAttempts + 1, error, waitMs: 0, usage: used });
    usage = addUsage(usage, used);
  }
  if (usage.calls > 0 && engine.budget.countsUse) engine.budget.charge(toUse(call.resolvedModel, usage));
  return usage;
}

async function tryUntilAnswered(
  engine: Engine,
  scope: CancelScope,
  call: ModelCall,
  id: number,
  step: JournalStep | undefined,
): Promise<ModelCallResult> {
  let fields = toRequest(call, scope.signal);
  let trimmed: readonly Message[] | undefined;
  const simulated = call.resolvedModel.provider === "demo";
  let usage = step ? endInterruptedAttempt({ engine, id, call, request: fields }, step) : noUsage;
  const interruptedAttempts = (step?.interruptedAttempts ?? 0) + Number(step?.isRequestSent ?? false);
  const firstAttempt = (step?.failedAttempts ?? 0) + Number(step?.isRequestSent ?? false) + 1;
  let answered = (step?.failedAttempts ?? 0) - (step?.unansweredAttempts ?? 0);
  for (let number = firstAttempt; ; number++) {
    if (scope.stop) return { ...toStopped(scope.stop), usage, simulated };
    const request = withIdempotencyKey(engine, call, fields, answered);
    const attempt: Attempt = { engine, scope, id, call, request, sent: false, text: "", delivered: false };
    const admission = mustWait(engine, call) ? await awaitAdmission(attempt) : null;
    if (admission instanceof ScopeStop) return { ...toStopped(admission), usage, simulated };
    const end = await scope.guard(readStream(attempt));
    admission?.release(end);
    if (!(end instanceof ScopeStop) && end.type === "done") {
      recordAnswerNotes(engine.recorder, id, call.agent, end);
      const answer = toAnswer(end, usage, simulated, call);
      return trimmed ? { ...answer, metadata: { ...answer.metadata, wasTrimmed: true }, trimmed } : answer;
    }
    const used = toFailedUsage(attempt, simulated, end);
    usage = addUsage(usage, used);
    if (end instanceof ScopeStop) return { ...toStopped(end), output: attempt.text, usage, simulated };

    const { failure } = end;
    const error = { code: failure.class, message: failure.message };
    if (!isUnanswered(error)) answered++;
    if (failure.class === "context-length" && call.agent.trim_context && !trimmed && !attempt.delivered) {
      trimmed = trimOldest(request.messages);
      const omitted = request.messages.length - trimmed.length;
      if (omitted > 0) {
        engine.recorder.failAttempt(id, { attempt: number, error, waitMs: 0, usage: used });
        const message = `The conversation was too long for the model: its ${omitted} oldest messages were left out.`;
        engine.recorder.note(id, "trimmed", message);
        fields = { ...fields, messages: trimmed };
        continue;
      }
    }
    const ownNumber = number - interruptedAttempts;
    const canRetry = isTransient(failure) && !attempt.delivered && ownNumber < mostAttempts(engine, call.agent);
    const waitMs = canRetry ? toWait(ownNumber, failure, engine.context.random()) : undefined;
    engine.recorder.failAttempt(id, { attempt: number, error, waitMs, usage: used });
    if (waitMs === undefined) {
      const { status: httpStatus } = failure;
      const answer = httpStatus === undefined ? {} : { metadata: { httpStatus } };
      return { ...toFailure(error), output: attempt.text, usage, simulated, ...answer };
    }

    await scope.guard(engine.context.sleep(waitMs, scope.signal));
  }
}

const mustWait = ({ budget }: Engine, { resolvedModel }: ModelCall): boolean =>
  budget.isLimited || resolvedModel.admit !== undefined;

/** Retries are additional to the first attempt; in Orbiter it counts as one of them. */
const mostAttempts = ({ flow }: Engine, { max_retries }: Agent): number =>
  flow.compat === "orbiter" ? Math.max(1, max_retries) : max_retries + 1;

/** Waits for the run's budget, then for a turn at the provider; the wait is recorded apart from the call itself. */
async function awaitAdmission(attempt: Attempt): Promise<{ release(end: AttemptEnd): void } | ScopeStop> {
  const { budget, context, estimator, recorder } = attempt.engine;
  const { scope } = attempt;
  const { resolvedModel } = attempt.call;
  const start = context.now();
  const forecast = budget.countsUse ? estimator.forecast(resolvedModel, attempt.request) : undefined;
  const reservation = budget.isLimited ? await budget.reserve(forecast?.estimate ?? (() => noEstimate), scope) : null;
  const release = reservation instanceof ScopeStop ? reservation : await awaitProvider(scope, resolvedModel);
  const waitMs = context.now() - start;
  if (waitMs > 0) recorder.queueAttempt(attempt.id, waitMs);
  if (reservation instanceof ScopeStop) return reservation;
  if (release instanceof ScopeStop) {
    reservation?.settle(noUse);
    return release;
  }
  return {
    release: (end) => {
      release();
      const isAnswered = !(end instanceof ScopeStop) && end.type === "done";
      if (forecast && isAnswered) estimator.observe(resolvedModel, forecast.size, end.usage);
      reservation?.settle(forecast ? toCallUse(attempt, end, forecast) : noUse);
    },
  };
}

const doNothing = (): void => undefined;

/** Waits for a turn at the provider; resolves with a function to call when the call has ended. */
async function awaitProvider(scope: CancelScope, resolvedModel: ResolvedModel): Promise<(() => void) | ScopeStop> {
  if (!resolvedModel.admit) return doNothing;
  const admitted = resolvedModel.admit(scope.signal).catch(() => doNothing);
  const release = await scope.guard(admitted);
  if (release instanceof ScopeStop) void admitted.then((lateRelease) => lateRelease());
  return release;
}

/** What an attempt counts for in the run's budget. */
function toCallUse(attempt: Attempt, end: AttemptEnd, { size }: CallForecast): CallUse {
  const { resolvedModel } = attempt.call;
  if (!(end instanceof ScopeStop) && end.type === "done") return toUse(resolvedModel, end.usage);
  return wasSent(attempt, end) && !isRefused(attempt, end)
    ? toInterruptedUse(resolvedModel, size, attempt.text)
    : noUse;
}

function toRequest({ agent, resolvedModel, messages, tools }: ModelCall, signal: AbortSignal): ModelRequest {
  return {
    agent: agent.name,
    model: resolvedModel.name,
    messages,
    tools,
    ...(agent.temperature !== undefined && { temperature: agent.temperature }),
    ...(agent.max_tokens !== undefined && { max_tokens: agent.max_tokens }),
    ...(agent.output_schema !== undefined && { output_schema: agent.output_schema }),
    signal,
  };
}

/** `answered`: how many attempts of the call were answered with an error. Without the id of a run no key would be unique. */
function withIdempotencyKey(
  { options: { runId } }: Engine,
  { path }: ModelCall,
  request: ModelRequest,
  answered: number,
): ModelRequest {
  return runId === undefined ? request : { ...request, idempotencyKey: `${runId}:${path}:${answered + 1}` };
}

/** Milliseconds until attempt `number` + 1: the provider's request, or 1, 2, 4 … s and up to a quarter more. */
function toWait(number: number, { retryAfterMs }: ModelFailure, random: number): number {
  const wait = retryAfterMs ?? retryWaits.shortest * 2 ** (number - 1) * (1 + retryWaits.jitter * random);
  return Math.min(Math.max(wait, 0), retryWaits.longest);
}

/**
 * The usage of an attempt without an answer: none if it was never sent, a call without cost if it was refused; if it was
 * interrupted, estimated from its request and the text received.
 */
function toFailedUsage(attempt: Attempt, simulated: boolean, end: FailedAttempt | ScopeStop): Usage {
  const { delivered, engine, call, request, text } = attempt;
  if (!wasSent(attempt, end)) return noUsage;
  const isWithoutCost = simulated || isRefused({ delivered }, end);
  const usage: Usage = { ...noUsage, calls: 1, cost: isWithoutCost ? 0 : null };
  if (isRefused({ delivered }, end)) return usage;
  const { size } = engine.estimator.forecast(call.resolvedModel, request);
  return estimateUsage(call.resolvedModel, { input: size, output: countTokens(text) });
}

/** A request is recorded before its connection is made. */
const wasSent = ({ sent, delivered }: Attempt, end: FailedAttempt | ScopeStop): boolean =>
  delivered || (sent && (end instanceof ScopeStop || end.failure.isUnsent !== true));

const isRefused = ({ delivered }: Pick<Attempt, "delivered">, end: FailedAttempt | ScopeStop): boolean =>
  !delivered && !(end instanceof ScopeStop) && end.failure.status !== undefined;

/** A cost that is not known under the name that the provider reports is that of the model that was asked. */
const toPriced = (usage: Usage, { priceOf }: ResolvedModel): Usage =>
  usage.cost === null ? { ...usage, cost: priceOf?.(usage) ?? null } : usage;

function toAnswer(
  end: AnsweredAttempt,
  usageBefore: Usage,
  simulated: boolean,
  { resolvedModel }: ModelCall,
): ModelCallResult {
  const { message, finishReason, model = resolvedModel.name, price } = end;
  const toolCalls = (message.toolCalls ?? []).map(({ id, name, arguments: text, providerData }) => ({
    id,
    name,
    arguments: text,
    ...(providerData && { providerData }),
  }));
  return {
    status: "SUCCESS",
    output: message.content,
    usage: addUsage(usageBefore, toPriced(end.usage, resolvedModel)),
    simulated: simulated || end.simulated === true,
    metadata: {
      finishReason,
      toolCalls,
      model,
      ...(price && { price }),
      ...(message.written && { written: message.written }),
    },
    message,
  };
}

/** Records a stream while it is received, and returns its last event. Every fault is a failure, never an exception. */
async function readStream(attempt: Attempt): Promise<AnsweredAttempt | FailedAttempt> {
  const { scope, id, call, request } = attempt;
  const { recorder } = attempt.engine;
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

const toUnknown = (message: string): FailedAttempt => ({ type: "failed", failure: { class: "unknown", message } });

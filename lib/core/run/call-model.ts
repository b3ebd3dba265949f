import type { Agent } from "../flow/flow";
import { type Engine, type Place, runStep, toFailure, toStopped, toText } from "./engine";
import type { AssistantMessage, Message } from "./messages";
import { isTransient, type Model, type ModelEvent, type ModelFailure, type ModelRequest, type ToolSpec } from "./model";
import type { StepResult } from "./recorder";
import { type Scope, Stop } from "./scope";
import { addUsage, noUsage, type Usage } from "./usage";

/** One model call of an agent, with everything that is tried for it. */
export interface ModelCall {
  agent: Agent;
  found: { model: Model; name: string; provider: string };
  messages: readonly Message[];
  tools: readonly ToolSpec[];
  path: string;
}

/** On success with the answer as a message. */
export type ModelResult = StepResult & { message?: AssistantMessage };

/** First wait before trying again, doubled each time; waits, also those that a provider asks for, end at `longest`. */
const retryWaits = { first: 1000, longest: 60_000, jitter: 0.25 } as const;

/** What became of one attempt while its stream was read. */
interface Attempt {
  sent: boolean;
  text: string;
  /** Text or reasoning was handed on: nothing may be said twice. */
  delivered: boolean;
}

/** Asks the model, again after transient failures as long as nothing was delivered, as one llm_call node. */
export function callModel(engine: Engine, place: Place, call: ModelCall): Promise<ModelResult> {
  const { path, messages, found } = call;
  const input = JSON.stringify(messages);
  const step = { parent: place.parent, path, kind: "llm_call", name: call.agent.model ?? found.name, input } as const;
  return runStep(engine, step, async (id) => {
    await engine.recorder.settled();
    const scope = place.scope.open();
    const result = await tryUntilAnswered(engine, scope, call, id);
    scope.close();
    return result;
  });
}

async function tryUntilAnswered(engine: Engine, scope: Scope, call: ModelCall, id: number): Promise<ModelResult> {
  const request = toRequest(call, scope.signal);
  const simulated = call.found.provider === "demo";
  let usage = noUsage;
  for (let number = 1; ; number++) {
    if (scope.stop) return { ...toStopped(scope.stop), usage, simulated };
    const attempt: Attempt = { sent: false, text: "", delivered: false };
    const end = await scope.guard(readStream(engine, scope, { call, request, attempt, id }));
    if (!(end instanceof Stop) && end.type === "done") return toAnswer(end, usage, simulated, call);
    usage = addUsage(usage, toFailedUsage(attempt, simulated, end));
    if (end instanceof Stop) return { ...toStopped(end), output: attempt.text, usage, simulated };

    const { failure } = end;
    const canRetry = isTransient(failure) && !attempt.delivered && number <= call.agent.max_retries;
    const waitMs = canRetry ? toWait(number, failure, engine.context.random()) : undefined;
    const error = { code: failure.class, message: failure.message };
    engine.recorder.failAttempt(id, number, error, waitMs);
    if (waitMs === undefined) return { ...toFailure(error), output: attempt.text, usage, simulated };

    await scope.guard(engine.context.sleep(waitMs, scope.signal));
  }
}

function toRequest({ agent, found, messages, tools }: ModelCall, signal: AbortSignal): ModelRequest {
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
function toFailedUsage({ sent, delivered }: Attempt, simulated: boolean, end: Failed | Stop): Usage {
  if (!sent && !delivered && !(end instanceof Stop)) return noUsage;
  const refused = !delivered && !(end instanceof Stop) && end.failure.status !== undefined;
  return { ...noUsage, calls: 1, cost: simulated || refused ? 0 : null };
}

function toAnswer(end: Done, before: Usage, simulated: boolean, { found }: ModelCall): ModelResult {
  const { message, finishReason, model = found.name } = end;
  const toolCalls = (message.toolCalls ?? []).map(({ id, name, arguments: text }) => ({ id, name, arguments: text }));
  return {
    status: "SUCCESS",
    output: message.content,
    usage: addUsage(before, end.usage),
    simulated: simulated || end.simulated === true,
    metadata: { finishReason, toolCalls, model },
    message,
  };
}

interface Reading {
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
  scope: Scope,
  { call, request, attempt, id }: Reading,
): Promise<Done | Failed> {
  try {
    for await (const event of call.found.model.stream(request)) {
      if (scope.stop) break;
      if (event.type === "done" || event.type === "failed") return event;
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
    return toUnknown(`The model's stream broke: ${toText(error)}`);
  }
}

const toUnknown = (message: string): Failed => ({ type: "failed", failure: { class: "unknown", message } });

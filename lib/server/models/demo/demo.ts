import "server-only";
import { setTimeout as wait } from "node:timers/promises";
import type { AssistantMessage } from "@/lib/core/run/events/messages";
import type { Model, ModelEvent, ModelRequest } from "@/lib/core/run/ports/model";
import { cancelled, toThrownFailure } from "../call/failure";
import { estimateUsage } from "../pricing/usage";
import { seededRandom } from "./chance";
import { composeReply, type Reply } from "./reply";

const firstWordMs = 300;
const slowFactor = 10;

/**
 * The provider `demo`: streams simulated answers, marked as such. Nothing leaves the machine.
 * `speed` 1 is 300 ms to the first word, then 34 to 40 words a second; 2 is twice as fast; 0 never waits.
 */
export function createDemoModel(speed: number): Model {
  return { stream: (request) => streamReply(request, speed) };
}

async function* streamReply(request: ModelRequest, speed: number): AsyncGenerator<ModelEvent, void> {
  const { signal, ...body } = request;
  const sent = JSON.stringify(body);
  yield { type: "sent", provider: "demo", url: "demo:", body: sent };
  try {
    const reply = composeReply(request);
    const pause = pauses(reply, speed);
    await pause.beforeFirst(signal);
    if (reply.failure) {
      yield { type: "failed", failure: reply.failure };
      return;
    }
    for (const word of reply.text.match(/\s*\S+\s*/g) ?? []) {
      yield { type: "text", text: word };
      await pause.beforeNext(signal);
    }
    yield finish(reply, sent, request.model);
  } catch (error) {
    yield { type: "failed", failure: signal.aborted ? cancelled : toThrownFailure(error) };
  }
}

interface Pauses {
  beforeFirst(signal: AbortSignal): Promise<void>;
  beforeNext(signal: AbortSignal): Promise<void>;
}

/**
 * The waits of a stream: their jitter comes from the reply's seed. Each ends at its place in a plan that was made at the
 * start, so that late timers do not add up; it throws when the signal aborts.
 */
function pauses(reply: Reply, speed: number): Pauses {
  const random = seededRandom(reply.seed);
  const factor = (reply.slow ? slowFactor : 1) / (speed || 1);
  let due = performance.now();
  const pause = async (ms: number, signal: AbortSignal) => {
    signal.throwIfAborted();
    if (speed === 0) return;
    due += ms * factor;
    await wait(Math.max(0, due - performance.now()), undefined, { signal });
  };
  return {
    beforeFirst: (signal) => pause(firstWordMs, signal),
    beforeNext: (signal) => pause(1000 / (34 + 6 * random()), signal),
  };
}

function finish({ text, toolCalls }: Reply, sent: string, model: string): ModelEvent {
  const message: AssistantMessage = {
    role: "assistant",
    content: text,
    ...(toolCalls.length > 0 && { toolCalls }),
  };
  const finishReason = toolCalls.length > 0 ? "tool-calls" : "stop";
  const answeredLength = text.length + JSON.stringify(toolCalls).length;
  const usage = { ...estimateUsage(sent.length, answeredLength), cost: 0 };
  const response = JSON.stringify({ simulated: true, model, finishReason, usage, message });
  return { type: "done", message, finishReason, usage, simulated: true, response };
}

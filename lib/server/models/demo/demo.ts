import "server-only";
import type { JsonSchema } from "@/lib/core/flow/flow";
import { hashText } from "@/lib/core/flow/hash-text";
import type { AssistantMessage } from "@/lib/core/run/events/messages";
import { simulatedLabel } from "@/lib/core/run/events/simulated-label";
import type { Model, ModelEvent, ModelRequest } from "@/lib/core/run/ports/model";
import { sleep } from "../../sleep";
import { cancelled, toThrownFailure } from "../call/failure";
import { estimateUsage } from "../pricing/usage";
import { writeAnswer } from "./answers";
import { chooseCalls } from "./choose-calls";
import { readSituation, type Situation } from "./reading";
import { sampleSchema } from "./sample";
import { readSwitches } from "./switches";

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
    const { beforeFirst, beforeNext } = createPauses(reply, speed, signal);
    await beforeFirst();
    if (reply.failure) {
      yield { type: "failed", failure: reply.failure };
      return;
    }
    for (const word of reply.text.match(/\s*\S+\s*/g) ?? []) {
      yield { type: "text", text: word };
      await beforeNext();
    }
    yield finish(reply, sent, request.model);
  } catch (error) {
    yield { type: "failed", failure: signal.aborted ? cancelled : toThrownFailure(error) };
  }
}

/** A whole reply, composed before the first word is sent; `seed` is for the jitter of the stream. */
type Reply = ReturnType<typeof composeReply>;

/**
 * The simulated answer to a request. A pure function of agent name, model name, messages, tools and response format:
 * no clock, no chance, nothing remembered, so that the same run gives the same transcript.
 */
function composeReply(request: ModelRequest) {
  const situation = readSituation(request.messages);
  const { failure, slow } = readSwitches(situation.prompt);
  const toolCalls = failure ? [] : chooseCalls(request, situation);
  const answer = (): string =>
    request.output_schema ? fillSchema(request.output_schema, situation) : writeAnswer(request, situation);
  return {
    text: toolCalls.length > 0 || failure ? "" : answer(),
    toolCalls,
    failure,
    slow,
    seed: hashText(`${request.agent}\n${situation.prompt}\n${situation.results.length}`),
  };
}

/** JSON that the schema accepts; its free texts are marked as simulated. */
function fillSchema(schema: JsonSchema, situation: Situation): string {
  const facts = [...situation.results.map((result) => result.content), ...situation.findings];
  const hints = { prompt: `${situation.prompt}\n${facts.join("\n")}`, topic: `${simulatedLabel}: ${situation.topic}` };
  return JSON.stringify(sampleSchema(schema, { ...hints, turn: 0, fillAll: true }), null, 2);
}

/**
 * The waits of a stream: their jitter comes from the reply's seed. Each ends at its place in a plan that was made at the
 * start, so that late timers do not add up; it throws when the signal aborts.
 */
function createPauses(reply: Reply, speed: number, signal: AbortSignal) {
  const random = seededRandom(reply.seed);
  const factor = (reply.slow ? slowFactor : 1) / (speed || 1);
  let due = performance.now();
  const pause = async (ms: number): Promise<void> => {
    signal.throwIfAborted();
    if (speed === 0) return;
    due += ms * factor;
    await sleep(Math.max(0, due - performance.now()), signal);
  };
  return {
    beforeFirst: () => pause(firstWordMs),
    beforeNext: () => pause(1000 / (34 + 6 * random())),
  };
}

/** Numbers in [0, 1), always the same ones for the same seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function finish({ text, toolCalls }: Reply, sent: string, model: string): ModelEvent {
  const message: AssistantMessage = { role: "assistant", content: text, ...(toolCalls.length > 0 && { toolCalls }) };
  const finishReason = toolCalls.length > 0 ? "tool-calls" : "stop";
  const answeredLength = text.length + JSON.stringify(toolCalls).length;
  const usage = { ...estimateUsage(sent.length, answeredLength), cost: 0 };
  const response = JSON.stringify({ simulated: true, model, finishReason, usage, message });
  return { type: "done", message, finishReason, usage, simulated: true, response };
}

import "server-only";
import type { JsonSchema } from "@/lib/core/flow/flow";
import { hashText } from "@/lib/core/flow/hash-text";
import type { ToolCall } from "@/lib/core/run/events/messages";
import type { ModelFailure, ModelRequest } from "@/lib/core/run/ports/model";
import { writeAnswer } from "./answers";
import { chooseCalls } from "./choose-calls";
import { label, readSituation, type Situation } from "./reading";
import { sampleSchema } from "./sample";
import { readSwitches } from "./switches";

/** The whole reply of the demo provider, composed before the first word is sent. */
export interface Reply {
  text: string;
  toolCalls: ToolCall[];
  failure?: ModelFailure;
  slow: boolean;
  /** For the jitter of the stream. */
  seed: number;
}

/**
 * The simulated answer to a request. A pure function of agent name, model name, messages, tools and response format:
 * no clock, no chance, nothing remembered, so that the same run gives the same transcript.
 */
export function composeReply(request: ModelRequest): Reply {
  const situation = readSituation(request.messages);
  const switches = readSwitches(`${situation.instructions}\n${situation.input}`);
  const toolCalls = switches.failure ? [] : chooseCalls(request, situation);
  return {
    text: toolCalls.length > 0 || switches.failure ? "" : answer(request, situation),
    toolCalls,
    ...(switches.failure && { failure: switches.failure }),
    slow: switches.slow,
    seed: hashText(`${request.agent}\n${situation.instructions}\n${situation.input}\n${situation.results.length}`),
  };
}

const answer = (request: ModelRequest, situation: Situation): string =>
  request.output_schema ? fillSchema(request.output_schema, situation) : writeAnswer(request, situation);

/** JSON that the schema accepts; its free texts are marked as simulated. */
function fillSchema(schema: JsonSchema, situation: Situation): string {
  const facts = [...situation.results.map((result) => result.content), ...situation.findings];
  const hints = {
    prompt: `${situation.instructions}\n${situation.input}\n${facts.join("\n")}`,
    topic: `${label}: ${situation.topic}`,
    turn: 0,
    fillAll: true,
  };
  return JSON.stringify(sampleSchema(schema, hints), null, 2);
}

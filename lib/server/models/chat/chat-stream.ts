import "server-only";
import type { TextEvent } from "../call/answer-limits";
import type { AnswerEvents } from "../call/call";
import { readFrames } from "../call/event-stream";
import { toServerError } from "../call/failure";
import { parseJson } from "../json";
import type { ChatReader } from "./chat-reader";

/**
 * Reads a Chat Completions stream up to `[DONE]` or its end. What arrived together is given together, to be read through
 * before more is asked for. A body that is not cut off when it is left keeps its connection for the next call.
 * @throws CallRefused for what is no such stream, or reports that the call failed.
 */
export async function* readChatStream(body: AsyncIterable<Uint8Array>, reader: ChatReader): AnswerEvents {
  for await (const frames of readFrames(body)) {
    yield readChunks(frames, reader);
    if (reader.isComplete) return;
  }
}

function* readChunks(frames: readonly string[], reader: ChatReader): Generator<TextEvent, void> {
  for (const frame of frames) {
    const text = frame.trim();
    if (text === "") continue;
    if (text === "[DONE]") {
      reader.isComplete = true;
      return;
    }
    const chunk = parseJson(text);
    if (chunk === undefined) throw toServerError(`The server sent no JSON: ${text.slice(0, 200)}`);
    yield* reader.read(chunk);
  }
}

import "server-only";
import { createParser, type ParseError } from "eventsource-parser";
import { StreamMeter, type TextEvent } from "../call/answer-limits";
import type { AnswerEvents } from "../call/call";
import { CallRefused, toServerError } from "../call/failure";
import { describeError } from "../call/refusal";
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

/** The data of server-sent events, as they arrive. */
async function* readFrames(body: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[], void> {
  let frames: string[] = [];
  let refused: CallRefused | undefined;
  const parser = createParser({
    // Nothing after an error counts, not even `[DONE]` in the same packet.
    onEvent: ({ data }) => {
      if (!refused) frames.push(data);
    },
    onError: (error) => {
      refused ??= findRefusal(error);
    },
  });
  const decoder = new TextDecoder();
  const meter = new StreamMeter();
  for await (const bytes of body) {
    meter.add(bytes);
    parser.feed(decoder.decode(bytes, { stream: true }));
    if (frames.length > 0) yield frames;
    if (refused) throw refused;
    frames = [];
  }
  // Some servers leave out the blank line after the last frame, without which it would not count.
  parser.feed(`${decoder.decode()}\n\n`);
  yield frames;
  if (refused) throw refused;
}

/** Some servers report a failure in a field `error:` of its own. Other unknown fields are ignored, as the standard requires. */
function findRefusal({ type, field, value = "" }: ParseError): CallRefused | undefined {
  if (type !== "unknown-field" || field !== "error") return undefined;
  const { message = value, code = "" } = describeError(parseJson(value));
  return new CallRefused({ status: 0, message, code });
}

import "server-only";
import { createParser, type ParseError } from "eventsource-parser";
import { parseJson } from "../json";
import { StreamMeter } from "./answer-limits";
import { CallRefused } from "./failure";
import { describeError } from "./refusal";

/**
 * The data of server-sent events, as they arrive: what came together is given together. A body that is not cut off when it
 * is left keeps its connection for the next call. @throws CallRefused for an error that is reported in a field of its own.
 */
export async function* readFrames(body: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[], void> {
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

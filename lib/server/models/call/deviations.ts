import "server-only";
import type { ModelNote } from "@/lib/core/run/ports/model";

/** What a provider sent against its own format and what was made of it, by kind. */
const messages = {
  "missing-id": "A tool call came without an id: one was made.",
  "duplicate-id": "Several tool calls came with the same id: the later ones got ids of their own.",
  "missing-index": "A tool call came without an index: its position in its chunk was taken.",
  "reused-index": "Several tool calls came with the same index: they were told apart by id and name.",
  "object-arguments":
    "The arguments of a tool call came as an object in place of a JSON text: they were written as JSON.",
  "empty-arguments": "A tool call came without arguments: they were read as {}.",
  "call-in-text": "A tool call came as text in the answer: it was read from there and run.",
  "calls-unannounced":
    "The answer has tool calls, although its finish_reason does not announce any: the calls were taken.",
  "calls-missing": "The finish_reason announces tool calls, but there are none: the answer was taken as it is.",
  "missing-finish-reason": "The answer came without a finish_reason: it was taken as complete.",
  "unopened-thinking": "The answer began with thinking that was not marked as such: it was left out of the answer.",
  "json-for-stream": "The answer came as one JSON body in place of a stream.",
} as const;

/** The deviations of one answer, each kind once. */
export class Deviations extends Set<keyof typeof messages> {
  toNotes(): ModelNote[] {
    return [...this].map((kind) => ({ code: "provider-deviation", message: messages[kind] }));
  }
}

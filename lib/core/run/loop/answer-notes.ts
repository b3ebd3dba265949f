import type { Agent } from "../../kinds/agent";
import type { EventRecorder } from "../events/event-recorder";
import type { WarningCode } from "../events/warnings";
import type { ModelEventOf } from "../ports/model";

/** Longest finish reason of a provider that a message quotes, in UTF-16 units. */
const longestReason = 100;

/** Records notes on a model call: those of its provider, and why the answer may be incomplete. */
export function recordAnswerNotes(
  recorder: EventRecorder,
  id: number,
  { name, max_tokens }: Agent,
  { notes = [], finishReason, providerReason }: ModelEventOf<"done">,
): void {
  for (const { code, message } of notes) recorder.note(id, code, message);
  const warn = (code: WarningCode, message: string): void => recorder.note(id, code, message);
  const reason = providerReason === undefined ? "" : ` (finish reason: ${providerReason.slice(0, longestReason)})`;
  if (finishReason === "length") {
    const limit = max_tokens === undefined ? "is not set" : `is ${max_tokens}`;
    const advice = `Raise max_tokens of "${name}", which ${limit}, or ask for a shorter answer. Thinking counts as output.`;
    warn("answer-cut", `The answer reached the limit of output tokens${reason}, so its end is missing. ${advice}`);
  } else if (finishReason === "content-filter") {
    const advice = "Change the prompt, or use another model.";
    const message = `The provider stopped the answer for its content${reason}, so it may be incomplete or empty. ${advice}`;
    warn("content-filtered", message);
  } else if (finishReason === "other") {
    const message = `The provider ended the answer before its end${reason}, so it may be incomplete. Its raw answer has the details.`;
    warn("answer-cut", message);
  }
}

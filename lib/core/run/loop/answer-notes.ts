import type { Agent } from "../../kinds/agent";
import type { EventRecorder } from "../events/event-recorder";
import type { StepWarning } from "../events/warnings";
import type { ModelEventOf } from "../ports/model";

/** Longest finish reason of a provider that a message quotes, in UTF-16 units. */
const longestReason = 100;

/** Records notes on a model call: those of its provider, and why the answer may be incomplete. */
export function recordAnswerNotes(recorder: EventRecorder, id: number, agent: Agent, done: ModelEventOf<"done">): void {
  for (const { code, message } of done.notes ?? []) recorder.note(id, code, message);
  const warning = findFinishWarning(agent, done);
  if (warning) recorder.note(id, warning.code, warning.message);
}

function findFinishWarning(
  { name, max_tokens }: Agent,
  { finishReason, providerReason }: ModelEventOf<"done">,
): StepWarning | null {
  const reason = providerReason === undefined ? "" : ` (finish reason: ${providerReason.slice(0, longestReason)})`;
  switch (finishReason) {
    case "length": {
      const limit = max_tokens === undefined ? "is not set" : `is ${max_tokens}`;
      return {
        code: "answer-cut",
        message: `The answer reached the limit of output tokens${reason}, so its end is missing. Raise max_tokens of "${name}", which ${limit}, or ask for a shorter answer. Thinking counts as output.`,
      };
    }
    case "content-filter":
      return {
        code: "content-filtered",
        message: `The provider stopped the answer for its content${reason}, so it may be incomplete or empty. Change the prompt, or use another model.`,
      };
    case "other":
      return {
        code: "answer-cut",
        message: `The provider ended the answer before its end${reason}, so it may be incomplete. Its raw answer has the details.`,
      };
    default:
      return null;
  }
}

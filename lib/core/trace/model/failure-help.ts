import { isRunErrorCode, type RunErrorCode } from "../../run/events/run-errors";

/** One thing that helps: what to do, and how or why. */
export interface HelpEntry {
  todo: string;
  detail: string;
}

const again: HelpEntry = {
  todo: "Try it again",
  detail: "with Retry, or with changes by the pencil beside Run from here. Finished steps are not paid again.",
};
const otherModel: HelpEntry = {
  todo: "Use another model",
  detail: "for this agent, one of another provider for example.",
};
const shorter: HelpEntry = { todo: "Shorten the input", detail: "or let the step before it answer more briefly." };
const limit = (detail: string): HelpEntry => ({ todo: "Raise the limit", detail });

/** What helps against each error, the most promising first. Others: trying the step again. */
const helpByCode: Partial<Record<RunErrorCode, readonly HelpEntry[]>> = {
  auth: [
    { todo: "Enter a valid key", detail: "of this provider in the settings, or where the server starts." },
    otherModel,
    { todo: "Simulate the run", detail: "in the editor: it needs no key." },
  ],
  "rate-limit": [
    { todo: "Wait a moment,", detail: "then choose Retry. Finished steps are not paid again." },
    otherModel,
    shorter,
  ],
  "context-length": [shorter, { todo: "Trim its context", detail: "in the settings of the agent." }, otherModel],
  network: [
    again,
    { todo: "Check the base URL", detail: "of the provider, and whether the server reaches it." },
    otherModel,
  ],
  timeout: [again, limit("of time, in the settings of the agent."), otherModel],
  server: [again, otherModel],
  "invalid-request": [
    { todo: "Change the agent", detail: "so that the provider accepts its request; the message names the reason." },
    otherModel,
  ],
  "not-found": [otherModel, { todo: "Check the name", detail: "of the model: providers rename and retire them." }],
  "answer-limit": [{ todo: "Limit its answer", detail: "with max_tokens, or ask for less." }],
  tool: [{ todo: "Change its tools", detail: "or the way in which the instructions ask for them." }, again],
  loop: [{ todo: "Tell it when to stop", detail: "in the instructions." }, limit("of equal calls.")],
  "step-limit": [
    limit("of model calls, in the settings of the agent."),
    { todo: "Ask for less", detail: "in one step." },
  ],
  limit: [limit("that the message names, in the flow.")],
  schema: [
    { todo: "Change the schema", detail: "so that it allows what the model answers." },
    { todo: "Describe the form", detail: "of the answer in the instructions." },
    otherModel,
  ],
  condition: [{ todo: "Change the condition", detail: "the message names the place." }],
  "invalid-flow": [{ todo: "Fix the flow", detail: "in the editor, which marks the problems." }],
};

/** At least one entry; `code` may be of another version. */
export const helpFor = (code: string): readonly HelpEntry[] =>
  (isRunErrorCode(code) ? helpByCode[code] : undefined) ?? [again];

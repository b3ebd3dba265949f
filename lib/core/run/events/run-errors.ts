/** What a user can do about an error. `node`: where the editor opens; the agent's step, its swarm, or the flow itself. */
type ErrorRemedy = { type: "set-key" } | { type: "open-editor"; label: string; node: "step" | "swarm" | "flow" };

interface RunErrorEntry {
  /** The class of the error in a word or two. */
  word: string;
  /** What happened. The message of the error itself has the particulars. */
  sentence: string;
  /** Missing: a retry. */
  remedy?: ErrorRemedy;
  /** After a model call a retry is the remedy. */
  isTransientCall?: true;
}

const edit = (label: string, node: "step" | "swarm" | "flow" = "step"): ErrorRemedy => ({
  type: "open-editor",
  label,
  node,
});

const define = <Code extends string>(entries: Record<Code, RunErrorEntry>): Readonly<Record<Code, RunErrorEntry>> =>
  entries;

/** Why a model call fails. */
const modelErrors = define({
  auth: { word: "Key", sentence: "The provider did not accept the key.", remedy: { type: "set-key" } },
  "rate-limit": {
    word: "Rate limit",
    sentence: "The provider received more requests than it allows, even after waiting.",
  },
  quota: {
    word: "Credit",
    sentence: "The account at the provider has no credit left, or has reached its spending limit.",
    remedy: { type: "set-key" },
  },
  "context-length": {
    word: "Context length",
    sentence: "The conversation is longer than the model's context.",
    remedy: edit("Trim its context"),
  },
  network: { word: "Network", sentence: "The provider could not be reached." },
  timeout: {
    word: "Timeout",
    sentence: "It exceeded its time limit.",
    remedy: edit("Raise the time limit"),
    isTransientCall: true,
  },
  server: { word: "Provider", sentence: "The provider reported an internal failure." },
  "invalid-request": {
    word: "Request",
    sentence: "The provider rejected the request.",
    remedy: edit("Change the agent"),
  },
  "not-found": { word: "Model", sentence: "No provider has this model.", remedy: edit("Change the model") },
  cancelled: { word: "Cancelled", sentence: "The run was cancelled." },
  "answer-limit": {
    word: "Answer limit",
    sentence: "The model's answer exceeded the size limit of answers.",
    remedy: edit("Limit its answer"),
  },
  unknown: { word: "Unknown", sentence: "It failed for an unknown reason." },
});
export type ModelErrorClass = keyof typeof modelErrors;

/** Every code that the engine and its executor give an error: what it is called, what it means, and what to do about it. */
export const runErrors = {
  ...modelErrors,
  ...define({
    tool: { word: "Tool", sentence: "A tool could not be used.", remedy: edit("Change its tools") },
    loop: {
      word: "Loop",
      sentence: "The agent called the same tools again and again.",
      remedy: edit("Raise the limit"),
    },
    "step-limit": {
      word: "Step limit",
      sentence: "The agent reached its limit of model calls without an answer.",
      remedy: edit("Raise the limit"),
    },
    limit: {
      word: "Limit",
      sentence: "The run reached a limit of its flow.",
      remedy: edit("Raise the limit", "swarm"),
    },
    schema: {
      word: "Schema",
      sentence: "The answer does not match the agent's schema, even after a second attempt.",
      remedy: edit("Change the schema"),
    },
    condition: {
      word: "Condition",
      sentence: "A condition could not be evaluated.",
      remedy: edit("Change the condition"),
    },
    rejected: { word: "Rejected", sentence: "A user rejected the request." },
    hook: { word: "Hook", sentence: "A hook of the program that started the run stopped it." },
    "invalid-parameters": {
      word: "Parameters",
      sentence: "The parameters that the run was started with are not valid.",
    },
    "invalid-flow": {
      word: "Flow",
      sentence: "The flow cannot run as it is written.",
      remedy: edit("Fix the flow", "flow"),
    },
    interrupted: { word: "Interrupted", sentence: "The server stopped during the run." },
    storage: { word: "Storage", sentence: "The database could not store the run's data." },
    unreadable: {
      word: "Cannot be read",
      sentence: "This run cannot be read: its stored record is damaged. Start it again.",
    },
    internal: { word: "Internal", sentence: "An internal error occurred; the server's log has the details." },
  }),
};
export type RunErrorCode = keyof typeof runErrors;

export const isRunErrorCode = (code: string): code is RunErrorCode => Object.hasOwn(runErrors, code);

export const runErrorCodes: readonly RunErrorCode[] = Object.keys(runErrors).filter(isRunErrorCode);

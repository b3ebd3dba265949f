/**
 * The codes of notes that are warnings: the node, or the run, succeeded, but its result may be incomplete or wrong.
 * `answer-cut`: the answer reached an output limit, or the provider ended it early. `content-filtered`: the provider
 * stopped the answer for its content. `tool-call-in-text`: the answer contains a tool call as text, which was not run.
 * `message-not-delivered`: a message to an agent was never read. `step-limit`: an agent made all of its model calls, and its
 * last text is used as its answer. Every other note is information.
 */
export const warningCodes = [
  "answer-cut",
  "content-filtered",
  "tool-call-in-text",
  "message-not-delivered",
  "step-limit",
] as const;
export type WarningCode = (typeof warningCodes)[number];

const codes: ReadonlySet<string> = new Set(warningCodes);

export const isWarningCode = (code: string): code is WarningCode => codes.has(code);

/** A warning on its step. */
export interface StepWarning {
  code: WarningCode;
  message: string;
}

/** A warning of a run: `node` is the id of its step, `path` the step's path. */
export interface RunWarning extends StepWarning {
  node: number;
  path: string;
}

/** The warnings among the notes of a step, in their order. */
export const toStepWarnings = (notes: readonly { code: string; message: string }[] = []): StepWarning[] =>
  notes.flatMap(({ code, message }) => (isWarningCode(code) ? [{ code, message }] : []));

interface NotedStep {
  id: number;
  path: string;
  notes?: readonly { code: string; message: string }[] | undefined;
}

/** The warnings of a run, in the order of its steps. */
export const listWarnings = (nodes: readonly NotedStep[]): RunWarning[] =>
  nodes.flatMap(({ id, path, notes }) => toStepWarnings(notes).map((warning) => ({ ...warning, node: id, path })));

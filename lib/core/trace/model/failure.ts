import { parseModel } from "../../flow/model-name";
import { keyOfPath, type NodeKey } from "../../flow/node-key";
import { isFailure, type RunError, type RunErrorCode, type RunNodeKind, type RunStatus } from "../../run/events/events";

/** What a person can do about a failure. */
export type FailureAction =
  /** A variable of the server's environment is missing or wrong. */
  | { type: "set-variable"; variable: string; provider: string }
  /** Something in the flow has to change: of the node `key`, or of the flow itself. */
  | { type: "open-editor"; label: string; key: NodeKey | null }
  | { type: "run-again" };

/** A failure explained. */
export interface Failure {
  /** Of an error that this version does not know: `unknown`. */
  class: RunErrorCode;
  /** The class in a word or two. */
  word: string;
  /** What happened, in plain words. The error's own message says the particulars. */
  sentence: string;
  action: FailureAction;
}

/** The step that failed, as far as its explanation needs it. */
export interface FailedStep {
  kind: RunNodeKind;
  /** Of a model call: the model with its provider. */
  name: string;
  path: string;
}

interface Explanation {
  word: string;
  sentence: string;
  act(step: FailedStep | null): FailureAction;
}

const runAgain = (): FailureAction => ({ type: "run-again" });

const change =
  (label: string) =>
  (step: FailedStep | null): FailureAction => ({ type: "open-editor", label, key: step && toKey(step) });

/** The root has no key: what is wrong there is the flow's. */
const toKey = ({ path }: FailedStep): NodeKey | null => (path === "/" || path === "" ? null : keyOfPath(path));

/** Every class of failure: what it is called, what it means, and the one thing to do about it. */
const explanations: Record<RunErrorCode, Explanation> = {
  auth: { word: "Key", sentence: "The provider did not accept the key.", act: setKey },
  "rate-limit": {
    word: "Rate limit",
    sentence: "The provider got more requests than it allows, also after the waits.",
    act: runAgain,
  },
  "context-length": {
    word: "Context length",
    sentence: "The conversation is longer than the model can read.",
    act: change("Trim its context"),
  },
  network: { word: "Network", sentence: "The provider could not be reached.", act: runAgain },
  timeout: {
    word: "Timeout",
    sentence: "It took longer than it may.",
    act: (step) => (step?.kind === "llm_call" ? runAgain() : change("Raise the time limit")(step)),
  },
  server: { word: "Provider", sentence: "The provider failed on its own side.", act: runAgain },
  "invalid-request": {
    word: "Request",
    sentence: "The provider refused the request as it was sent.",
    act: change("Change the agent"),
  },
  "not-found": { word: "Model", sentence: "Nobody offers this model here.", act: change("Change the model") },
  cancelled: { word: "Cancelled", sentence: "Somebody stopped the run.", act: runAgain },
  unknown: { word: "Unknown", sentence: "It failed in a way that is not known here.", act: runAgain },
  tool: { word: "Tool", sentence: "A tool could not be used.", act: change("Change its tools") },
  loop: {
    word: "Loop",
    sentence: "The agent asked for the same tools again and again.",
    act: change("Raise the limit"),
  },
  "answer-limit": {
    word: "Answer limit",
    sentence: "The answer of the model was longer than an answer may be.",
    act: change("Limit its answer"),
  },
  "step-limit": {
    word: "Step limit",
    sentence: "The agent made all the model calls that it may, and had no answer.",
    act: change("Raise the limit"),
  },
  limit: { word: "Limit", sentence: "The run used up what its flow allows.", act: raiseFlowLimit },
  schema: {
    word: "Schema",
    sentence: "The answer does not fit the agent's schema, also not after it was told why.",
    act: change("Change the schema"),
  },
  condition: { word: "Condition", sentence: "A condition could not be decided.", act: change("Change the condition") },
  rejected: { word: "Rejected", sentence: "A person said no.", act: runAgain },
  hook: { word: "Hook", sentence: "The program round the run stopped it.", act: runAgain },
  "invalid-flow": {
    word: "Flow",
    sentence: "The flow cannot run as it is written.",
    act: () => change("Mend the flow")(null),
  },
  interrupted: { word: "Interrupted", sentence: "The server stopped while the run was at work.", act: runAgain },
  storage: { word: "Storage", sentence: "The database did not take what the run produced.", act: runAgain },
  internal: {
    word: "Internal",
    sentence: "The engine met an error of its own; the server's log says more.",
    act: runAgain,
  },
};

/** Where each provider's key stands, as its SDK names it. */
const keyVariables: ReadonlyMap<string, { provider: string; variable: string }> = new Map([
  ["openai", { provider: "OpenAI", variable: "OPENAI_API_KEY" }],
  ["anthropic", { provider: "Anthropic", variable: "ANTHROPIC_API_KEY" }],
  ["google", { provider: "Google Gemini", variable: "GEMINI_API_KEY" }],
  ["compatible", { provider: "the OpenAI-compatible server", variable: "COMPATIBLE_API_KEY" }],
]);

function setKey(step: FailedStep | null): FailureAction {
  const known = step?.kind === "llm_call" ? keyVariables.get(parseModel(step.name).provider) : undefined;
  return known ? { type: "set-variable", ...known } : change("Change the model")(step);
}

/** A swarm has limits of its own; all others are the flow's. */
function raiseFlowLimit(step: FailedStep | null): FailureAction {
  return change("Raise the limit")(step?.kind === "swarm" ? step : null);
}

const isKnown = (code: string): code is RunErrorCode => Object.hasOwn(explanations, code);

/** The class of an error in a word or two; a code that this version does not know stands for itself. */
export const failureWord = (code: string): string => (isKnown(code) ? explanations[code].word : code);

/** Explains why a run or a step failed. `step`: the one that failed first, where it is known. */
export function explainFailure({ code }: Pick<RunError, "code">, step: FailedStep | null): Failure {
  const known = isKnown(code) ? code : "unknown";
  const { word, sentence, act } = explanations[known];
  return { class: known, word, sentence, action: act(step) };
}

/** A step as the search for failures needs it. Parents stand before their children. */
export interface TreeStep {
  id: number;
  parent?: number | undefined;
  path: string;
  kind: RunNodeKind;
  status: RunStatus;
  endedAt?: number | undefined;
}

/**
 * The step at which a failed run began to fail: the one that its error names; else, of the failed steps that led to the
 * end (nothing above them succeeded) and have no failed step below, the one that ended first, of several the first that
 * began. What was cancelled because a sibling failed is none of them, and what failed inside a tool only when nothing
 * else did: a failed tool is an answer that the model sees. Undefined: no step failed. In linear time.
 */
export function findFirstFailure<Step extends TreeStep>(
  steps: readonly Step[],
  error: Pick<RunError, "path">,
): Step | undefined {
  const named = error.path === undefined ? undefined : steps.find(({ path }) => path === error.path);
  if (named && named.path !== "/") return named;
  const led = findLeading(steps);
  const outside = led.filter(({ inTool }) => !inTool);
  const candidates = (outside.length > 0 ? outside : led).map(({ step }) => step);
  const above = new Set(candidates.map(({ parent }) => parent));
  return candidates.filter(({ id }) => !above.has(id)).reduce<Step | undefined>(toEarlier, undefined);
}

const toEarlier = <Step extends TreeStep>(first: Step | undefined, step: Step): Step =>
  !first || (step.endedAt ?? Number.POSITIVE_INFINITY) < (first.endedAt ?? Number.POSITIVE_INFINITY) ? step : first;

/** The failed steps above which nothing succeeded, and whether they are a tool call or stand inside one. */
function findLeading<Step extends TreeStep>(steps: readonly Step[]): { step: Step; inTool: boolean }[] {
  const places = new Map<number, { leads: boolean; inTool: boolean }>();
  const found: { step: Step; inTool: boolean }[] = [];
  for (const step of steps) {
    const above = step.parent === undefined ? undefined : places.get(step.parent);
    const leads = step.status !== "SUCCESS" && (above?.leads ?? true);
    const inTool = step.kind === "tool_call" || (above?.inTool ?? false);
    places.set(step.id, { leads, inTool });
    if (leads && isFailure(step.status)) found.push({ step, inTool });
  }
  return found;
}

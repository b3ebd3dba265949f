import { parseModel } from "../../flow/model-name";
import { keyOfPath, type NodeKey } from "../../flow/node-key";
import type { RunError, RunNodeKind } from "../../run/events/events";
import { isRunErrorCode, type RunErrorCode, runErrors } from "../../run/events/run-errors";
import { isFailure, type RunStatus } from "../../run/events/run-status";

/** What a user can do about a failure. */
export type FailureAction =
  /** The key of a provider is missing or wrong: entered in the app, or set as a variable of the server's environment. */
  | { type: "connect"; provider: string; label: string; variable: string }
  /** Something in the flow has to change: of the node `key`, or of the flow itself. */
  | { type: "open-editor"; label: string; key: NodeKey | null }
  | { type: "retry" };

/** A failure explained. */
export interface Failure {
  /** Of an error that this version does not know: `unknown`. */
  class: RunErrorCode;
  /** The class in a word or two. */
  word: string;
  /** What happened. The message of the error itself has the particulars. */
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

/** The environment variable of each provider's key, as its SDK names it. */
const keyVariables: ReadonlyMap<string, { label: string; variable: string }> = new Map([
  ["openai", { label: "OpenAI", variable: "OPENAI_API_KEY" }],
  ["anthropic", { label: "Anthropic", variable: "ANTHROPIC_API_KEY" }],
  ["google", { label: "Google Gemini", variable: "GEMINI_API_KEY" }],
  ["compatible", { label: "the OpenAI-compatible server", variable: "COMPATIBLE_API_KEY" }],
]);

function connectProvider(step: FailedStep | null): FailureAction {
  const provider = step?.kind === "llm_call" ? parseModel(step.name).provider : "";
  const keyVariable = keyVariables.get(provider);
  return keyVariable
    ? { type: "connect", provider, ...keyVariable }
    : { type: "open-editor", label: "Change the model", key: toKey(step) };
}

/** The root has no key: what is wrong there concerns the flow. */
const toKey = (step: FailedStep | null): NodeKey | null =>
  !step || step.path === "/" || step.path === "" ? null : keyOfPath(step.path);

/** The class of an error in a word or two; a code that this version does not know is returned as it is. */
export const failureWord = (code: string): string => (isRunErrorCode(code) ? runErrors[code].word : code);

/** Explains why a run or a step failed. `step`: the one that failed first, where it is known. */
export function explainFailure({ code }: Pick<RunError, "code">, step: FailedStep | null): Failure {
  const errorClass = isRunErrorCode(code) ? code : "unknown";
  const { word, sentence } = runErrors[errorClass];
  return { class: errorClass, word, sentence, action: toAction(errorClass, step) };
}

function toAction(code: RunErrorCode, step: FailedStep | null): FailureAction {
  const { remedy, isTransientCall } = runErrors[code];
  if (!remedy || (isTransientCall && step?.kind === "llm_call")) return { type: "retry" };
  if (remedy.type === "set-key") return connectProvider(step);
  const { label, node } = remedy;
  // A limit of a swarm is its own; all other limits are the flow's.
  const target = node === "step" || node === step?.kind ? step : null;
  return { type: "open-editor", label, key: toKey(target) };
}

/** A step as the search for failures needs it. Parents come before their children. */
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

const toEarlier = <Step extends TreeStep>(earliestStep: Step | undefined, step: Step): Step =>
  !earliestStep || (step.endedAt ?? Number.POSITIVE_INFINITY) < (earliestStep.endedAt ?? Number.POSITIVE_INFINITY)
    ? step
    : earliestStep;

/** The failed steps above which nothing succeeded, and whether they are a tool call or inside one. */
function findLeading<Step extends TreeStep>(steps: readonly Step[]): { step: Step; inTool: boolean }[] {
  const places = new Map<number, { leads: boolean; inTool: boolean }>();
  const leadingFailures: { step: Step; inTool: boolean }[] = [];
  for (const step of steps) {
    const above = step.parent === undefined ? undefined : places.get(step.parent);
    const leads = step.status !== "SUCCESS" && (above?.leads ?? true);
    const inTool = step.kind === "tool_call" || (above?.inTool ?? false);
    places.set(step.id, { leads, inTool });
    if (leads && isFailure(step.status)) leadingFailures.push({ step, inTool });
  }
  return leadingFailures;
}

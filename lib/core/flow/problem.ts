import type { Edit } from "./edit";
import { canLookUp } from "./template-variables";
import { clip, type TextChange, type TextRange } from "./text-range";

/** The closed list of things that can be wrong with a flow. A code never changes its meaning. */
export const problemCodes = [
  // DSL
  "empty-flow",
  "missing-operand",
  "missing-member",
  "empty-group",
  "bare-parallel",
  "unbalanced-parenthesis",
  "unclosed-quote",
  "text-beside-parenthesis",
  "not-an-arrow",
  "duplicate-name",
  "too-deep",
  // names and structure
  "unknown-name",
  "invalid-name",
  "name-taken",
  "cycle",
  "not-reached",
  "not-series-parallel",
  "no-handoffs",
  "no-agents",
  "no-members",
  // values
  "unknown-tool",
  "switched-off-tool",
  "missing-setting",
  "unknown-model",
  "ending-model",
  "unknown-provider",
  "missing-model",
  "missing-key",
  "unpriced-model",
  "unknown-variable",
  "invalid-condition",
  "invalid-schema",
  "refused-value",
  // the file
  "yaml-syntax",
  "invalid-value",
  "unknown-key",
  "unsupported",
  "too-large",
] as const;

export type ProblemCode = (typeof problemCodes)[number];

/** Errors block a run; warnings and infos do not, but for `no-agents` (see `runBlockersOf`). */
export type Severity = "error" | "warning" | "info";

/** A named repair: applying `changes` to the same text removes the problem. */
export interface Fix {
  title: string;
  changes: readonly TextChange[];
}

/** A named repair of a drawing: the edit removes the problem. */
export interface Repair {
  title: string;
  edit: Edit;
}

/** The way out where a text looks up a variable that is not there: the variable, which is empty at first. */
export function addVariableRepairs(name: string): { repairs?: readonly Repair[] } {
  if (!canLookUp(name)) return {};
  return { repairs: [{ title: `Add variable ${clip(name)}`, edit: { type: "set-var", name, value: "" } }] };
}

/** A diagnostic. Problems are data: collected, never thrown. */
export interface Problem {
  code: ProblemCode;
  severity: Severity;
  /** What was expected, what was found, what to do. */
  message: string;
  /** Where in the text that was read. Missing when the problem belongs to no place in it. */
  range?: TextRange;
  /** Keys of the canvas nodes concerned (see `nodeKey` in keys.ts). */
  nodes?: readonly string[];
  /** Of `missing-key`: the id of the provider that cannot be called. */
  provider?: string;
  fix?: Fix;
  /** Ways out that are edits of the drawing, the likeliest first. */
  repairs?: readonly Repair[];
}

/** A problem together with the declaration (and, for references, the name inside it) that it belongs to. */
export interface FlowProblem extends Problem {
  /** Declared name of the agent, group or swarm; `null` is the root swarm. */
  owner?: string | null;
  /** The field of the owner that is wrong. */
  field?: string;
  /** The name inside the owner's topology, or inside the list of `field`, that is wrong. */
  reference?: string;
  /** What to write instead of `reference`. */
  replacement?: string;
}

/** What is wrong with a pattern that conditions look for, in a sentence; null when nothing is, as far as is known. */
export type CheckPattern = (pattern: string) => string | null;

/** The problems that are errors. */
export const errorsOf = (problems: readonly Problem[]): Problem[] => problems.filter((p) => p.severity === "error");

/** The problems that block a run: errors, and that an empty flow has nothing to run. */
export const runBlockersOf = (problems: readonly Problem[]): Problem[] =>
  problems.filter(({ severity, code }) => severity === "error" || code === "no-agents");

/** What a user has to mend: that a flow has no agents yet is the beginning, and no mistake. */
export const mistakesOf = (problems: readonly Problem[]): readonly Problem[] =>
  problems.some(({ code }) => code === "no-agents") ? problems.filter(({ code }) => code !== "no-agents") : problems;

/** Whether something is missing on the server, which comes and goes without a change of the file: a key or a setting of a tool. */
export const isMissingOnServer = ({ code }: Problem): boolean => code === "missing-key" || code === "missing-setting";

/** The problems that block a run whose models are simulated: it needs no key, and its agents see the error of a tool. */
export const simulationBlockersOf = (problems: readonly Problem[]): Problem[] =>
  runBlockersOf(problems).filter((problem) => !isMissingOnServer(problem));

export const hasErrors = (problems: readonly Problem[]): boolean => problems.some((p) => p.severity === "error");

import "server-only";
import * as Y from "yjs";
import type { Offer } from "@/lib/core/check/offer";
import { findPatternMistake } from "@/lib/core/condition/pattern";
import { emptyLayout } from "@/lib/core/flow/edit";
import type { Flow, JsonSchema } from "@/lib/core/flow/flow";
import type { Problem } from "@/lib/core/flow/problem";
import { applyChanges } from "@/lib/core/flow/text-change";
import { compileAnswer } from "@/lib/core/run/plan/answer-schema";
import type { ParsedAnswer } from "@/lib/core/run/ports/answers";
import { toSettledUpdate, type UnsettledDocument } from "@/lib/core/settle/settle-structure";
import { applyEdit } from "@/lib/core/source/apply-edit";
import { packReading } from "@/lib/core/source/read/pack-reading";
import { readSource } from "@/lib/core/source/read-source";
import { type FlowOutline, toOutline } from "../flows/outline/flow-outline";
import { readImports, type SourceImport } from "../tools/imports/read-imports";
import { diffLines, type FlowChange } from "./diff-lines";
import { type Rehearsal, type RehearsalInput, rehearseUpdate } from "./rehearse-update";

export interface FlowTextInput {
  source: string;
  /** As `currentOffer` has it, without its functions. */
  offer: Omit<Offer, "isPriced" | "checkPattern">;
  /** Whether patterns are checked. */
  hasPatterns: boolean;
  /** By model: whether it has a known price; missing: that is not known. */
  prices: Readonly<Record<string, boolean | null>>;
  part: "flow" | "outline" | "packed";
}

export interface FlowTextOutput {
  problems: readonly Problem[];
  /** Models of which a check wants to know whether they have a price. */
  models: string[];
  /** Of each part that was not asked for null. */
  flow: Flow | null;
  outline: FlowOutline | null;
  packed: string | null;
}

/** By name: what a task gets and what it answers. All of it is plain data, which is copied between threads. */
interface TaskTypes {
  "check-schema": { input: { schema: JsonSchema }; output: string | null };
  "read-answer": { input: { schema: JsonSchema; text: string }; output: ParsedAnswer };
  "read-flow": { input: FlowTextInput; output: FlowTextOutput };
  "rename-flow": { input: { source: string; name: string }; output: string | null };
  /** How many insertions and deletions an update of a shared document has. */
  "count-update": { input: { update: Uint8Array }; output: number };
  "rehearse-update": { input: RehearsalInput; output: Rehearsal };
  "settle-structure": { input: UnsettledDocument; output: Uint8Array | null };
  "read-imports": { input: { name: string; text: string }; output: SourceImport[] };
  "diff-lines": { input: { before: string; after: string }; output: FlowChange };
}

export type TaskName = keyof TaskTypes;
export type TaskInput<Name extends TaskName> = TaskTypes[Name]["input"];
export type TaskOutput<Name extends TaskName> = TaskTypes[Name]["output"];

/** The work of each task, synchronous and without effects. Any of it may be stopped at any point, with its thread. */
export const tasks: { [Name in TaskName]: (input: TaskInput<Name>) => TaskOutput<Name> } = {
  "check-schema": ({ schema }) => {
    const compiled = compileOnce(schema);
    return compiled.ok ? null : compiled.message;
  },
  "read-answer": ({ schema, text }) => {
    const compiled = compileOnce(schema);
    return compiled.ok ? compiled.read(text) : compiled;
  },
  "read-flow": readFlow,
  "rename-flow": ({ source, name }) => {
    const result = applyEdit(readSource(source), emptyLayout, { type: "set-flow-name", name });
    return result.ok ? applyChanges(source, result.changes) : null;
  },
  "count-update": ({ update }) => {
    const { structs, ds } = Y.decodeUpdate(update);
    return structs.length + [...ds.clients.values()].reduce((sum, ranges) => sum + ranges.length, 0);
  },
  "rehearse-update": rehearseUpdate,
  "settle-structure": toSettledUpdate,
  "read-imports": ({ name, text }) => readImports(name, text),
  "diff-lines": ({ before, after }) => diffLines(before, after),
};

function readFlow({ source, offer, hasPatterns, prices, part }: FlowTextInput): FlowTextOutput {
  const models = new Set<string>();
  const isPriced = (model: string): boolean | null => {
    models.add(model);
    return prices[model] ?? null;
  };
  const document = readSource(source, { ...offer, isPriced, ...(hasPatterns && { checkPattern: findPatternMistake }) });
  return {
    problems: document.problems,
    models: [...models],
    flow: part === "outline" ? null : document.flow,
    outline: part === "outline" ? toOutline(document) : null,
    packed: part === "packed" ? packReading(document) : null,
  };
}

type CompiledAnswer = ReturnType<typeof compileAnswer>;

const maxCompiled = 50;
/** By the JSON of the schema, the one that was used last at the end. */
const compiledAnswers = new Map<string, CompiledAnswer>();

/** Compiling a schema takes longer than most answers. */
function compileOnce(schema: JsonSchema): CompiledAnswer {
  const key = JSON.stringify(schema);
  const compiled = compiledAnswers.get(key) ?? compileAnswer(schema);
  compiledAnswers.delete(key);
  compiledAnswers.set(key, compiled);
  for (const oldest of compiledAnswers.keys()) {
    if (compiledAnswers.size <= maxCompiled) break;
    compiledAnswers.delete(oldest);
  }
  return compiled;
}

import type { FlowState } from "@/app/_canvas/state/flow-state";
import { parseFlow } from "@/lib/core/dsl/parse";
import { namesOf } from "@/lib/core/flow/expression";
import { findNotes, type Note } from "@/lib/core/flow/note";
import { hasErrors } from "@/lib/core/flow/problem";
import { indexNodes } from "@/lib/core/layout/scene/node-index";
import { copyFragment, fragmentMark } from "@/lib/core/source/fragment/copy-fragment";
import { toSourceDocument } from "@/lib/core/source/read-source";
import { groupByScope, outermost } from "../edits/node-edits";
import { readNotes, writeNotes } from "./clipboard-notes";

export function toClipboardText({ flow, layout, arrangement, selection, document }: FlowState): string | null {
  const nodes = outermost(indexNodes(arrangement), selection).filter(({ type: kind }) => kind !== "unknown");
  const notes = writeNotes(findNotes(layout.notes, selection));
  if (nodes.length === 0) return notes === "" ? null : `${fragmentMark}\n${notes}`;
  return copyFragment(toSourceDocument(document), groupByScope(flow, nodes)) + notes;
}

/** The text of a fragment is empty when only notes were copied. */
export type Pasted =
  | { type: "fragment"; text: string; notes: readonly Note[] }
  | { type: "foreign" }
  | { type: "nothing" };

const longestLine = 10_000;

export function readPasted(text: string, model: string): Pasted {
  const trimmed = text.trim();
  if (trimmed === "") return { type: "nothing" };
  if (trimmed.startsWith(fragmentMark)) return { type: "fragment", ...readNotes(text) };
  const isLine = trimmed.length <= longestLine && !trimmed.includes("\n") && /^[^:{}[\]=]*>>[^:{}[\]=]*$/.test(trimmed);
  const { expression, problems } = isLine ? parseFlow(trimmed) : { expression: null, problems: [] };
  if (!expression || hasErrors(problems)) return { type: "foreign" };
  const names = namesOf(expression).map(({ name }) => name);
  const agents = names.map((name) => `  ${JSON.stringify(name)}: { model: ${JSON.stringify(model)} }\n`).join("");
  return { type: "fragment", notes: [], text: `agents:\n${agents}swarm:\n  flow: ${JSON.stringify(trimmed)}\n` };
}

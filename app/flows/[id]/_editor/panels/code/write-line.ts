import type { Edit, Scope } from "@/lib/core/flow/edit";
import { namesOf } from "@/lib/core/flow/expression";
import { type Flow, findDeclaration } from "@/lib/core/flow/flow";
import { hasErrors } from "@/lib/core/flow/problem";
import { createSuggester } from "@/lib/core/flow/suggest-name";
import { declaredNames } from "@/lib/core/kinds/members";
import { textKind } from "@/lib/core/source/read/topology";
import { getEditing } from "../../state/editing/editing";

export type WrittenEdits = { ok: true; edits: Edit[] } | { ok: false; messages: string[] };

interface Line {
  scope: Scope;
  line: string;
  /** Whether a name that is not declared becomes an agent. */
  isNew(name: string): boolean;
}

export function writeLine(flow: Flow, { scope, line, isNew }: Line, model: string): WrittenEdits {
  const { expression, problems } = getEditing().parseFlow(line, { as: textKind(flow, scope) });
  if (!expression || hasErrors(problems)) return { ok: false, messages: problems.map((problem) => problem.message) };
  const names = [...new Set(namesOf(expression).map(({ name }) => name))];
  const declared = names.filter((name) => !findDeclaration(flow, name) && isNew(name));
  return {
    ok: true,
    edits: [
      ...declared.map((name): Edit => ({ type: "add-agent", name, model, scope })),
      { type: "set-flow-text", scope, text: line.trim() },
    ],
  };
}

/** A name that resembles a declared one is a slip, and becomes no agent. An empty lane lets the text through. */
export function writeLane(flow: Flow, scope: Scope, line: string, model: string): WrittenEdits {
  if (line.trim() === "") return { ok: true, edits: [{ type: "set-flow-text", scope, text: "" }] };
  const suggest = createSuggester(declaredNames(flow));
  return writeLine(flow, { scope, line, isNew: (name) => suggest(name) === null }, model);
}

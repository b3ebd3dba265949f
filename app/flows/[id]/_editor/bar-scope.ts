import { parseFlow } from "@/lib/core/dsl/parse";
import { printFlow } from "@/lib/core/dsl/print";
import type { Edit, Scope } from "@/lib/core/flow/edit";
import { namesOf } from "@/lib/core/flow/expression";
import { type Flow, findDeclaration } from "@/lib/core/flow/flow";
import { keyNames } from "@/lib/core/flow/keys";
import { hasErrors } from "@/lib/core/flow/problem";
import { partOf, textKind, topologyOf } from "@/lib/core/source/topology";
import { rootFlowText } from "./root-flow-text";
import type { EditorState } from "./store/editor";

/** What the flow bar shows: the one selected group, workflow swarm or loop by name, else the root (`null`). */
export function barOwner({ flow, selection }: Pick<EditorState, "flow" | "selection">): string | null {
  const name = selection.length === 1 ? keyNames(selection[0] ?? "").at(-1) : undefined;
  const found = name === undefined ? null : findDeclaration(flow, name);
  const hasText =
    found?.kind === "group" || found?.kind === "loop" || (found?.kind === "swarm" && found.value.type === "workflow");
  return hasText && name !== undefined ? name : null;
}

/** Where an edit of the bar's text happens. */
export function barScope(flow: Flow, owner: string | null): Scope {
  if (owner === null) return { type: "root" };
  if (flow.controls.has(owner)) return { type: "lane", name: owner, lane: "body" };
  return { type: flow.groups.has(owner) ? "group" : "swarm", name: owner };
}

/** The text of the bar on one line. */
export function barText(state: EditorState): string {
  const owner = barOwner(state);
  if (owner === null) return rootFlowText(state);
  const scope = barScope(state.flow, owner);
  const topology = topologyOf(state.flow, scope);
  if (!topology || !("expression" in topology)) return "";
  return printFlow(topology.expression, { as: textKind(state.flow, scope) });
}

/** Whether the bar has anything to show: only a workflow has an order. */
export const hasBar = (state: EditorState): boolean =>
  barOwner(state) !== null || partOf(state.flow, { type: "root" })?.type === "workflow";

/** What is wrong with a line while it is typed; null when nothing is. */
export function findMistake(flow: Flow, owner: string | null, line: string): string | null {
  const { problems } = parseFlow(line, { as: textKind(flow, barScope(flow, owner)) });
  return hasErrors(problems) ? (problems.find(({ severity }) => severity === "error")?.message ?? null) : null;
}

/** The edits that write `line` as the flow of `owner`, `null` being the root. In a flow without agents every name becomes one. */
export function writeFlowLine(
  flow: Flow,
  line: string,
  model: string,
  owner: string | null,
): { ok: true; edits: Edit[] } | { ok: false; messages: string[] } {
  const scope = barScope(flow, owner);
  const { expression, problems } = parseFlow(line, { as: textKind(flow, scope) });
  if (!expression || hasErrors(problems)) return { ok: false, messages: problems.map((problem) => problem.message) };
  const names = flow.agents.size === 0 ? [...new Set(namesOf(expression).map(({ name }) => name))] : [];
  const unknown = names.filter((name) => !findDeclaration(flow, name));
  return {
    ok: true,
    edits: [
      ...unknown.map((name): Edit => ({ type: "add-agent", name, model, scope: { type: "root" } })),
      { type: "set-flow-text", scope, text: line.trim() },
    ],
  };
}

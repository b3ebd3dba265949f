import { printFlow, printName } from "@/lib/core/dsl/print";
import { splitDsl } from "@/lib/core/dsl/words";
import type { Scope } from "@/lib/core/flow/edit";
import { type Flow, findDeclaration } from "@/lib/core/flow/flow";
import { keyNames, type NodeKey } from "@/lib/core/flow/node-key";
import type { Problem } from "@/lib/core/flow/problem";
import { createSuggester } from "@/lib/core/flow/suggest-name";
import { declaredNames } from "@/lib/core/kinds/members";
import { kindOf, lanesOf } from "@/lib/core/kinds/registry";
import { containerOf, isWorkflow, textKind, topologyOf } from "@/lib/core/source/read/topology";
import { getEditing } from "../../state/editing/editing";
import type { EditorState } from "../../state/editor/editor";
import { rootFlowText } from "../../state/root-flow-text";
import { type WrittenEdits, writeLine } from "../code/write-line";

/** `null` and `""` mean the root. */
export interface LineOwner {
  owner: string | null;
  key: NodeKey;
}

export function findLineOwner({ flow, selection }: Pick<EditorState, "flow" | "selection">): LineOwner {
  const [key = ""] = selection;
  const owner = keyNames(key).at(-1) ?? null;
  return selection.length === 1 && owner !== null && hasFlowText(flow, owner)
    ? { owner, key }
    : { owner: null, key: "" };
}

export function hasFlowText(flow: Flow, name: string): boolean {
  const declaration = findDeclaration(flow, name);
  if (!declaration) return false;
  const { isControl, isContainer, repeats } = kindOf(declaration);
  return isControl ? repeats : isContainer && isWorkflow(flow, barScope(flow, name));
}

function barScope(flow: Flow, owner: string | null): Scope {
  if (owner === null) return { type: "root" };
  const control = flow.controls.get(owner);
  if (control) return { type: "lane", name: owner, lane: lanesOf(control)[0]?.[0] ?? "" };
  return { type: flow.groups.has(owner) ? "group" : "swarm", name: owner };
}

export function flowLine(state: Pick<EditorState, "flow" | "document">, owner: string | null): string {
  if (owner === null) return rootFlowText(state);
  const scope = barScope(state.flow, owner);
  const topology = topologyOf(state.flow, scope);
  if (!topology || !("expression" in topology)) return "";
  return printFlow(topology.expression, { as: textKind(state.flow, scope) });
}

export const exampleLine = "planner >> (ann | ben) >> writer";

export function emptyHint(flow: Flow, owner: string | null): string {
  const topology = topologyOf(flow, barScope(flow, owner));
  return topology && "draft" in topology ? "No single line can express this drawing yet" : exampleLine;
}

/** Only a workflow has an order. */
export const hasLine = (flow: Flow, owner: string | null): boolean =>
  owner !== null || containerOf(flow, { type: "root" })?.mode === "workflow";

export interface WrittenLine {
  owner: string | null;
  line: string;
  newAgents: readonly string[];
}

export function findLineProblems(flow: Flow, { owner, line, newAgents }: WrittenLine): Problem[] {
  const { problems } = getEditing().parseFlow(line, { as: textKind(flow, barScope(flow, owner)) });
  if (flow.agents.size === 0) return problems;
  const suggest = createSuggester(declaredNames(flow));
  const unknown = splitDsl(line).flatMap(({ from: start, to: end, name }): Problem[] => {
    if (name === null || name === "" || newAgents.includes(name) || findDeclaration(flow, name)) return [];
    const near = suggest(name);
    const hint = near === null ? "Press Enter and declare it." : `Did you mean "${near}"?`;
    const fix = near !== null && {
      title: `Write ${near}`,
      changes: [{ from: start, to: end, insert: printName(near) }],
    };
    const message = `There is no agent, group or swarm "${name}" yet. ${hint}`;
    const severity = near === null ? "info" : "warning";
    return [{ code: "unknown-name", severity, message, range: { from: start, to: end }, ...(fix && { fix }) }];
  });
  return [...problems, ...unknown].toSorted((a, b) => (a.range?.from ?? 0) - (b.range?.from ?? 0));
}

/** In a flow without agents every name in the line becomes an agent. */
export function writeFlowLine(flow: Flow, { owner, line, newAgents }: WrittenLine, model: string): WrittenEdits {
  const isNew = (name: string): boolean => flow.agents.size === 0 || newAgents.includes(name);
  return writeLine(flow, { scope: barScope(flow, owner), line, isNew }, model);
}

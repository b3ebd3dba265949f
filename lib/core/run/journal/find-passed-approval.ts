import { sinksOf } from "../../flow/expression";
import { type Declaration, type Flow, findDeclaration } from "../../flow/flow";
import { keyNames, keyOfPath } from "../../flow/node-key";
import { toDelegateNames } from "../../kinds/engine-tools";
import { findApproval } from "../../kinds/members";
import { lanesOf } from "../../kinds/registry";
import { rosterOf } from "../../kinds/swarm-roster";
import type { RunEvent, RunEventOf } from "../events/events";

type NodeStart = RunEventOf<"node.started">;

/**
 * The approval that a fork would pass, or be led around, if the node got an output instead of being done: the node itself,
 * one inside it as the run recorded it or as the flow declares it, a tool call that waits for one, or one inside a node
 * whose way the output decides. Null: there is none.
 */
export function findPassedApproval(flow: Flow, events: readonly RunEvent[], id: number): string | null {
  const inside = new Set([id]);
  const starts = new Map<number, NodeStart>();
  for (const event of events) {
    if (event.type === "answer.requested" && event.id === id && event.request.type === "tool")
      return starts.get(id)?.name ?? "";
    if (event.type !== "node.started") continue;
    starts.set(event.id, event);
    if (event.id !== id && (event.parent === undefined || !inside.has(event.parent))) continue;
    inside.add(event.id);
    if (event.kind === "approval") return event.name;
  }
  const start = starts.get(id);
  if (!start) return null;
  const declaration = findDeclared(flow, start);
  return (declaration && findApproval(flow, declaration)) ?? findDecidedApproval(flow, starts, start);
}

/** An approval in a node around a step whose output decides what that node does next, as it is or as the output of what is around it. */
function findDecidedApproval(flow: Flow, starts: ReadonlyMap<number, NodeStart>, changed: NodeStart): string | null {
  let step = changed;
  for (let above = toParent(starts, step); above; above = toParent(starts, step)) {
    const declaration = findDeclared(flow, above);
    const approval = declaration && decides(step, declaration) ? findApproval(flow, declaration) : null;
    if (approval !== null) return approval;
    if (!becomesOutput(step, above, declaration)) return null;
    step = above;
  }
  return null;
}

const toParent = (starts: ReadonlyMap<number, NodeStart>, { parent }: NodeStart): NodeStart | undefined =>
  parent === undefined ? undefined : starts.get(parent);

/** Whether the output of a step directly inside a declaration decides what the declaration does next. */
function decides({ kind, name }: NodeStart, declaration: Declaration): boolean {
  switch (declaration.type) {
    case "router":
      return kind === "llm_call";
    case "loop":
      return kind === "round";
    case "swarm":
      return declaration.mode === "handoff" || (declaration.mode !== "workflow" && rosterOf(declaration)[0] === name);
    default:
      return false;
  }
}

/** Whether the output of a step can be, or be in, the output of the node directly around it. */
function becomesOutput({ kind, name }: NodeStart, above: NodeStart, declaration: Declaration | null): boolean {
  if (kind === "tool_call" || above.kind === "tool_call") return false;
  if (kind === "llm_call" || kind === "round" || !declaration) return true;
  if (declaration.type === "swarm" && declaration.mode !== "workflow") return true;
  const lanes = lanesOf(declaration).flatMap(([, lane]) => lane ?? []);
  return lanes.length === 0 || lanes.some((lane) => sinksOf(lane).includes(name));
}

/** The declaration whose steps the node contains; of a call that delegates, that of the worker. */
function findDeclared(flow: Flow, { kind, name, path }: NodeStart): Declaration | null {
  if (path === "/") return flow.swarm;
  if (kind === "tool_call") return findWorker(flow, name);
  return findDeclaration(flow, kind === "round" ? (keyNames(keyOfPath(path)).at(-1) ?? "") : name);
}

function findWorker(flow: Flow, tool: string): Declaration | null {
  const teams = [...flow.swarms.values(), flow.swarm].filter(({ mode }) => mode === "team");
  const workers = teams.flatMap((team) => [...toDelegateNames(rosterOf(team).slice(1))]);
  const names = workers.flatMap(([worker, delegate]) => (delegate === tool ? [worker] : []));
  const declarations = names.flatMap((name) => findDeclaration(flow, name) ?? []);
  return declarations.find((declaration) => findApproval(flow, declaration) !== null) ?? null;
}

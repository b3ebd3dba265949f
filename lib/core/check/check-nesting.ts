import { type Declaration, type Flow, findDeclaration, limits } from "../flow/flow";
import { type NodeKey, nodeKey } from "../flow/node-key";
import type { FlowProblem } from "../flow/problem";
import { containersOf, findUnreached, nameDepths } from "../kinds/members";
import { kindOf, lanesOf, membersOf } from "../kinds/registry";

type Found = Omit<FlowProblem, "nodes" | "severity">;

/** A flow that runs more agents than this in one pass is refused: groups that hold groups twice over grow beyond any run. */
const mostSteps = 100_000;

/** What is wrong with how groups, swarms and controls hold one another: cycles, too deep, too many. Linear, without recursion. */
export function checkNesting(flow: Flow): Found[] {
  const { order, cycles } = orderParts(flow);
  const problems: Found[] = cycles.map((cycle) => ({
    code: "cycle",
    owner: cycle[0] ?? null,
    message: `"${cycle[0]}" holds itself: ${[...cycle, cycle[0]].join(" → ")}. Take one of them out.`,
  }));
  const sizes = new Map<string | null, { depth: number; steps: number }>();
  let deepReported = false;
  for (const { owner, part } of [...order, { owner: null, part: flow.swarm }]) {
    const size = measure(part, sizes);
    sizes.set(owner, size);
    if (size.depth > limits.depth && !deepReported) {
      deepReported = true;
      const message = `Parentheses, groups and swarms nest more than ${limits.depth} deep here. Take a level out.`;
      problems.push({ code: "too-deep", owner, message });
    }
  }
  if ((sizes.get(null)?.steps ?? 0) > mostSteps) {
    const message = `The flow runs more than ${mostSteps} agents, because groups that hold groups are used many times over. Use some of them less often.`;
    problems.push({ code: "too-large", owner: null, message });
  }
  return problems;
}

function measure(
  part: Declaration,
  sizes: ReadonlyMap<string | null, { depth: number; steps: number }>,
): { depth: number; steps: number } {
  const written = namesIn(part);
  let deepest = 0;
  let steps = 0;
  for (const { name, depth } of written) {
    const inner = sizes.get(name);
    deepest = Math.max(deepest, depth + (inner ? 1 + inner.depth : 0));
    steps += inner?.steps ?? 1;
  }
  return { depth: deepest, steps };
}

function namesIn(part: Declaration): { name: string; depth: number }[] {
  const lanes = lanesOf(part).flatMap(([, flow]) => (flow ? [flow] : []));
  return lanes.length > 0 ? lanes.flatMap(nameDepths) : membersOf(part).map((name) => ({ name, depth: 0 }));
}

interface OwnedPart {
  owner: string;
  part: Declaration;
}

/** Groups and swarms, each behind those it holds, and the ways in which some hold themselves. */
function orderParts(flow: Flow): { order: OwnedPart[]; cycles: string[][] } {
  const order: OwnedPart[] = [];
  const cycles: string[][] = [];
  const entered = new Map<string, number>();
  const done = new Set<string>();
  const trail: (OwnedPart & { waiting: string[] })[] = [];
  const enter = (owner: string): void => {
    const found = findDeclaration(flow, owner);
    if (!found || !kindOf(found).isContainer || done.has(owner)) return;
    const since = entered.get(owner);
    if (since !== undefined) {
      cycles.push(trail.slice(since).map((part) => part.owner));
      return;
    }
    entered.set(owner, trail.length);
    trail.push({ owner, part: found, waiting: membersOf(found).reverse() });
  };
  for (const name of containersOf(flow).keys()) {
    enter(name);
    for (let top = trail.at(-1); top; top = trail.at(-1)) {
      const next = top.waiting.pop();
      if (next !== undefined) enter(next);
      else {
        trail.pop();
        entered.delete(top.owner);
        done.add(top.owner);
        order.push({ owner: top.owner, part: top.part });
      }
    }
  }
  return { order, cycles: distinct(cycles) };
}

/** One cycle for each name that begins one: a hostile file has too many to list. */
const distinct = (cycles: readonly string[][]): string[][] => [
  ...new Map(cycles.map((cycle) => [cycle[0], cycle])).values(),
];

/** A name that stands in more places than this is marked in the first ones only. */
const mostPlaces = 8;

/** Where each name stands on the canvas; what is in no topology stands beside it. */
export function findPlaces(flow: Flow): Map<string, NodeKey[]> {
  const places = new Map<string, NodeKey[]>();
  const waiting: { key: NodeKey; part: Declaration; depth: number }[] = [{ key: "", part: flow.swarm, depth: 0 }];
  for (const { key: place, part, depth } of waiting)
    for (const name of membersOf(part)) {
      const key = nodeKey(place, name);
      const known = places.get(name);
      if (known && known.length >= mostPlaces) continue;
      if (known) known.push(key);
      else places.set(name, [key]);
      const found = findDeclaration(flow, name);
      if (found && kindOf(found).isContainer && depth < limits.depth)
        waiting.push({ key, part: found, depth: depth + 1 });
    }
  return places;
}

/** Declared names that never run. Says nothing while the root swarm itself could not be read. */
export function checkReached(flow: Flow): Found[] {
  if (membersOf(flow.swarm).length === 0) return [];
  return findUnreached(flow).map((owner) => ({
    code: "not-reached",
    owner,
    message: `"${owner}" is declared but not in the flow, so it never runs. Connect it, or delete it.`,
  }));
}

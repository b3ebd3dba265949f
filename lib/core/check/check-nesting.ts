import { type Declaration, type Flow, findDeclaration, limits } from "../flow/flow";
import { type NodeKey, nodeKey } from "../flow/node-key";
import type { FlowProblem } from "../flow/problem";
import { orderContainers } from "../kinds/container-order";
import { containersOf, findUnreached, nameDepths } from "../kinds/members";
import { kindOf, lanesOf, membersOf } from "../kinds/registry";

type NestingProblem = Omit<FlowProblem, "nodes" | "severity">;

/** A flow that runs more agents than this in one pass is refused: nested groups that use a group twice grow exponentially. */
const maxSteps = 100_000;

/** Cycles, excessive depth and excessive size of nested groups, swarms and controls. Linear, without recursion. */
export function checkNesting(flow: Flow): NestingProblem[] {
  const { order, cycles } = orderContainers(flow, containersOf(flow).keys());
  const problems: NestingProblem[] = distinct(cycles).map((cycle) => ({
    code: "cycle",
    owner: cycle[0] ?? null,
    message: `"${cycle[0]}" contains itself: ${[...cycle, cycle[0]].join(" → ")}. Remove one of them.`,
  }));
  const sizes = new Map<string | null, DeclarationSize>();
  let deepReported = false;
  for (const declaration of [...order.filter((container) => kindOf(container).isContainer), flow.swarm]) {
    const owner = declaration === flow.swarm ? null : declaration.name;
    const size = measure(declaration, sizes);
    sizes.set(owner, size);
    if (size.members > limits.members) {
      const message = `Expected at most ${limits.members} members here, found ${size.members}. Put some of them into groups.`;
      problems.push({ code: "too-large", owner, message });
    }
    if (size.depth > limits.depth && !deepReported) {
      deepReported = true;
      const message = `Parentheses, groups and swarms nest more than ${limits.depth} deep here. Remove a level.`;
      problems.push({ code: "too-deep", owner, message });
    }
  }
  if ((sizes.get(null)?.steps ?? 0) > maxSteps) {
    const message = `The flow runs more than ${maxSteps} agents, because groups that contain groups are used many times. Use some of them less often.`;
    problems.push({ code: "too-large", owner: null, message });
  }
  return problems;
}

/** One cycle for each first name: a hostile file has too many to list. */
const distinct = (cycles: readonly string[][]): string[][] => [
  ...new Map(cycles.map((cycle) => [cycle[0], cycle])).values(),
];

interface DeclarationSize {
  members: number;
  depth: number;
  steps: number;
}

function measure(declaration: Declaration, sizes: ReadonlyMap<string | null, DeclarationSize>): DeclarationSize {
  const members = listMemberDepths(declaration);
  let deepest = 0;
  let steps = 0;
  for (const { name, depth } of members) {
    const memberSize = sizes.get(name);
    deepest = Math.max(deepest, depth + (memberSize ? 1 + memberSize.depth : 0));
    steps += memberSize?.steps ?? 1;
  }
  return { members: members.length, depth: deepest, steps };
}

function listMemberDepths(declaration: Declaration): { name: string; depth: number }[] {
  const lanes = lanesOf(declaration).flatMap(([, flow]) => (flow ? [flow] : []));
  return lanes.length > 0 ? lanes.flatMap(nameDepths) : membersOf(declaration).map((name) => ({ name, depth: 0 }));
}

/** A name that has more nodes than this is marked at the first ones only. */
const maxKeysPerName = 8;

/** The node keys of each name that the root swarm contains. */
export function findNodeKeys(flow: Flow): Map<string, NodeKey[]> {
  const keysByName = new Map<string, NodeKey[]>();
  const waiting: { key: NodeKey; declaration: Declaration; depth: number }[] = [
    { key: "", declaration: flow.swarm, depth: 0 },
  ];
  for (const { key: parentKey, declaration, depth } of waiting)
    for (const name of membersOf(declaration)) {
      const key = nodeKey(parentKey, name);
      const keys = keysByName.get(name);
      if (keys && keys.length >= maxKeysPerName) continue;
      if (keys) keys.push(key);
      else keysByName.set(name, [key]);
      const member = findDeclaration(flow, name);
      if (member && kindOf(member).isContainer && depth < limits.depth)
        waiting.push({ key, declaration: member, depth: depth + 1 });
    }
  return keysByName;
}

/** Declared names that never run. Empty while the root swarm has no members, e.g. because it could not be read. */
export function checkReached(flow: Flow): NestingProblem[] {
  if (membersOf(flow.swarm).length === 0) return [];
  return findUnreached(flow).map((owner) => ({
    code: "not-reached",
    owner,
    message: `"${owner}" is declared but not in the flow, so it never runs. Connect it, or delete it.`,
  }));
}

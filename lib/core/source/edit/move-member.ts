import type { Edit, Scope } from "../../flow/edit";
import { movePins } from "../../flow/edit";
import { type Expression, mapNames, nameExpression, parallelExpression, serialExpression } from "../../flow/expression";
import type { Graph } from "../../flow/graph";
import { kindOf } from "../../kinds/registry";
import { rosterOf } from "../../kinds/swarm-roster";
import { containerOf, graphOf, ownerOf, type Topology, topologyOf, toTopology } from "../read/topology";
import { removeFromTopology } from "./edit-declarations";
import { addMember, removeMembers, rosterAt } from "./edit-roster";
import { writeScope } from "./edit-topology";
import { EditRefused, type EditTransaction } from "./edit-transaction";
import { assertDeclared, assertNotNested, assertScope } from "./preconditions";

type MoveMemberEdit = Extract<Edit, { type: "move-member" }>;
type MemberSide = NonNullable<MoveMemberEdit["at"]>;

/**
 * Moves a member from one place to another. Its predecessors then lead to its successors, and in the
 * new place no link is cut. Refused when the old place would be left without members.
 */
export function moveMember(
  transaction: EditTransaction,
  { name, from: predecessor, scope, at: position }: MoveMemberEdit,
): string[] {
  assertDeclared(transaction.document.flow, [name]);
  if (position?.member === name) throw new EditRefused("cycle", `"${name}" cannot be moved beside itself.`);
  if (predecessor) takeOut(transaction, predecessor, name);
  const { document } = transaction;
  assertScope(document, scope);
  const members = membersAt(transaction, scope);
  if (members.includes(name)) throw new EditRefused("duplicate-name", `"${name}" is in ${placeName(scope)} already.`);
  if (position && !members.includes(position.member))
    throw new EditRefused("unknown-name", `"${position.member}" is not in ${placeName(scope)} any more.`);
  assertNotNested(document.flow, scope, [name]);
  if (rosterAt(transaction, scope))
    addMember(transaction, scope, name, position?.side === "after" ? position.member : undefined);
  else
    writeScope(
      transaction,
      scope,
      putInto(topologyOf(document.flow, scope), name, position, isSideBySide(transaction, scope)),
    );
  const [oldOwner, owner] = [predecessor && ownerOf(predecessor), ownerOf(scope)];
  transaction.layout = movePins(transaction.layout, (key) => {
    const index = key.findIndex((member, i) => member === name && (key[i - 1] ?? null) === oldOwner);
    return index >= 0 && (oldOwner !== owner || index === key.length - 1) ? null : key;
  });
  return [name];
}

/** Takes a member out of its place, closing the gap. */
function takeOut(transaction: EditTransaction, scope: Scope, name: string): void {
  assertScope(transaction.document, scope);
  const members = membersAt(transaction, scope);
  if (!members.includes(name))
    throw new EditRefused("unknown-name", `"${name}" is not in ${placeName(scope)} any more.`);
  const control = scope.type === "lane" ? transaction.document.flow.controls.get(scope.name) : undefined;
  const mayEmpty = scope.type === "lane" && !(control && kindOf(control).requiresLanes);
  if (members.length === 1 && !mayEmpty)
    throw new EditRefused(
      "no-members",
      `"${name}" is all that ${placeName(scope)} holds, and nothing would be left there. Move the whole, or add another member first.`,
    );
  if (rosterAt(transaction, scope)) {
    if (members[0] === name)
      transaction.notice = `"${members[1]}" ${containerOf(transaction.document.flow, scope)?.mode === "handoff" ? "starts" : "leads"} in ${placeName(scope)} now.`;
    removeMembers(transaction, scope, new Set([name]));
    return;
  }
  const topology = topologyOf(transaction.document.flow, scope);
  if (topology) writeScope(transaction, scope, removeFromTopology(topology, new Set([name])));
}

function membersAt(transaction: EditTransaction, scope: Scope): string[] {
  const roster = rosterAt(transaction, scope);
  return roster ? rosterOf(roster) : graphOf(topologyOf(transaction.document.flow, scope)).nodes;
}

const placeName = (scope: Scope): string => {
  if (scope.type === "root") return "the flow";
  return scope.type === "lane" ? `the lane "${scope.lane}" of "${scope.name}"` : `"${scope.name}"`;
};

/** Whether a new member of a scope runs in parallel with the others when no position is given. */
const isSideBySide = ({ document }: EditTransaction, scope: Scope): boolean =>
  containerOf(document.flow, scope)?.mode === "parallel";

const joins: Record<MemberSide["side"], (member: Expression, name: Expression) => Expression> = {
  before: (member, name) => serialExpression([name, member]),
  after: (member, name) => serialExpression([member, name]),
  beside: (member, name) => parallelExpression([member, name]),
};

function putInto(topology: Topology, name: string, position: MemberSide | undefined, sideBySide: boolean): Topology {
  const added = nameExpression(name);
  if (!topology) return { expression: added };
  if ("draft" in topology) return toTopology(drawInto(topology.draft, name, position)).topology;
  const { expression } = topology;
  if (!position) return { expression: (sideBySide ? parallelExpression : serialExpression)([expression, added]) };
  const put = (member: string): Expression =>
    member === position.member ? joins[position.side](nameExpression(member), added) : nameExpression(member);
  return { expression: mapNames(expression, put) };
}

/** The same for a draft, which has no flow text. */
function drawInto(graph: Graph, name: string, position: MemberSide | undefined): Graph {
  graph.addNode(name);
  if (!position) return graph;
  const [before, after] = [graph.predecessors(position.member), graph.successors(position.member)];
  if (position.side === "beside") {
    for (const predecessor of before) graph.addEdge(predecessor, name);
    for (const successor of after) graph.addEdge(name, successor);
  } else if (position.side === "after") {
    for (const successor of after) {
      graph.removeEdge(position.member, successor);
      graph.addEdge(name, successor);
    }
    graph.addEdge(position.member, name);
  } else {
    for (const predecessor of before) {
      graph.removeEdge(predecessor, position.member);
      graph.addEdge(predecessor, name);
    }
    graph.addEdge(name, position.member);
  }
  return graph;
}

import type { Edit, Scope } from "../../flow/edit";
import { movePins } from "../../flow/edit";
import { type Expression, mapNames, nameExpression, parallelExpression, serialExpression } from "../../flow/expression";
import type { Graph } from "../../flow/graph";
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
 * Moves a member from one place to another. What stood before it leads to what stood behind it from then on, and in the
 * new place no link is cut. Refused when the old place would be left without members.
 */
export function moveMember(changing: EditTransaction, { name, from, scope, at }: MoveMemberEdit): string[] {
  assertDeclared(changing.document.flow, [name]);
  if (at?.member === name) throw new EditRefused("cycle", `"${name}" cannot be moved beside itself.`);
  if (from) takeOut(changing, from, name);
  const { document } = changing;
  assertScope(document, scope);
  const members = membersAt(changing, scope);
  if (members.includes(name))
    throw new EditRefused("duplicate-name", `"${name}" stands in ${placeName(scope)} already.`);
  if (at && !members.includes(at.member))
    throw new EditRefused("unknown-name", `"${at.member}" does not stand in ${placeName(scope)} any more.`);
  assertNotNested(document.flow, scope, [name]);
  if (rosterAt(changing, scope)) addMember(changing, scope, name, at?.side === "after" ? at.member : undefined);
  else writeScope(changing, scope, putInto(topologyOf(document.flow, scope), name, at, isSideBySide(changing, scope)));
  const [left, owner] = [from && ownerOf(from), ownerOf(scope)];
  changing.layout = movePins(changing.layout, (key) => {
    const index = key.findIndex((one, i) => one === name && (key[i - 1] ?? null) === left);
    return index >= 0 && (left !== owner || index === key.length - 1) ? null : key;
  });
  return [name];
}

/** Takes a member out of its place, closing the gap. */
function takeOut(changing: EditTransaction, scope: Scope, name: string): void {
  assertScope(changing.document, scope);
  const members = membersAt(changing, scope);
  if (!members.includes(name))
    throw new EditRefused("unknown-name", `"${name}" does not stand in ${placeName(scope)} any more.`);
  const mayEmpty = scope.type === "lane" && changing.document.flow.controls.get(scope.name)?.type !== "loop";
  if (members.length === 1 && !mayEmpty)
    throw new EditRefused(
      "no-members",
      `"${name}" is all that ${placeName(scope)} holds, and nothing would be left there. Move the whole, or add another member first.`,
    );
  if (rosterAt(changing, scope)) {
    if (members[0] === name)
      changing.notice = `"${members[1]}" ${containerOf(changing.document.flow, scope)?.mode === "handoff" ? "starts" : "leads"} in ${placeName(scope)} now.`;
    removeMembers(changing, scope, new Set([name]));
    return;
  }
  const topology = topologyOf(changing.document.flow, scope);
  if (topology) writeScope(changing, scope, removeFromTopology(topology, new Set([name])));
}

function membersAt(changing: EditTransaction, scope: Scope): string[] {
  const roster = rosterAt(changing, scope);
  return roster ? rosterOf(roster) : graphOf(topologyOf(changing.document.flow, scope)).nodes;
}

const placeName = (scope: Scope): string => {
  if (scope.type === "root") return "the flow";
  return scope.type === "lane" ? `the lane "${scope.lane}" of "${scope.name}"` : `"${scope.name}"`;
};

/** Whether a new member of a place joins the others side by side when nobody says where. */
const isSideBySide = ({ document }: EditTransaction, scope: Scope): boolean =>
  containerOf(document.flow, scope)?.mode === "parallel";

const joins: Record<MemberSide["side"], (member: Expression, name: Expression) => Expression> = {
  before: (member, name) => serialExpression([name, member]),
  after: (member, name) => serialExpression([member, name]),
  beside: (member, name) => parallelExpression([member, name]),
};

function putInto(topology: Topology, name: string, at: MemberSide | undefined, sideBySide: boolean): Topology {
  const added = nameExpression(name);
  if (!topology) return { expression: added };
  if ("draft" in topology) return toTopology(drawInto(topology.draft, name, at)).topology;
  const { expression } = topology;
  if (!at) return { expression: (sideBySide ? parallelExpression : serialExpression)([expression, added]) };
  const put = (one: string): Expression =>
    one === at.member ? joins[at.side](nameExpression(one), added) : nameExpression(one);
  return { expression: mapNames(expression, put) };
}

/** The same for a drawing that no text can say. */
function drawInto(graph: Graph, name: string, at: MemberSide | undefined): Graph {
  graph.addNode(name);
  if (!at) return graph;
  const [before, after] = [graph.predecessors(at.member), graph.successors(at.member)];
  if (at.side === "beside") {
    for (const from of before) graph.addEdge(from, name);
    for (const to of after) graph.addEdge(name, to);
  } else if (at.side === "after") {
    for (const to of after) {
      graph.removeEdge(at.member, to);
      graph.addEdge(name, to);
    }
    graph.addEdge(at.member, name);
  } else {
    for (const from of before) {
      graph.removeEdge(from, at.member);
      graph.addEdge(from, name);
    }
    graph.addEdge(name, at.member);
  }
  return graph;
}

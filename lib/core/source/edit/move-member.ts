import { type EditOf, movePins, type Scope } from "../../flow/edit";
import { kindOf } from "../../kinds/registry";
import { rosterOf } from "../../kinds/swarm-roster";
import { containerOf, graphOf, ownerOf, topologyOf } from "../read/topology";
import { removeFromTopology } from "./edit-declarations";
import { addMember, removeMembers, rosterAt } from "./edit-roster";
import { writeScope } from "./edit-topology";
import { EditRefused, type EditTransaction } from "./edit-transaction";
import { insertAt, insertLast } from "./insert-member";
import { assertDeclared, assertNotNested, assertScope } from "./preconditions";

/**
 * Moves a member from one place to another. Its predecessors then lead to its successors, and in the
 * new place no link is cut. Refused when the old place would be left without members.
 */
export function moveMember(
  transaction: EditTransaction,
  { name, from: predecessor, scope, at: position }: EditOf<"move-member">,
): string[] {
  assertDeclared(transaction.document.flow, [name]);
  if (position?.member === name) throw new EditRefused("cycle", `"${name}" cannot be moved beside itself.`);
  if (predecessor) {
    // A member that is alone stays where it is.
    if (isSameScope(predecessor, scope) && isOnlyMember(transaction, scope, name)) return [name];
    takeOut(transaction, predecessor, name);
  }
  const { document } = transaction;
  assertScope(document, scope);
  const members = membersAt(transaction, scope);
  if (members.includes(name)) throw new EditRefused("duplicate-name", `"${name}" is in ${placeName(scope)} already.`);
  if (position && !members.includes(position.member))
    throw new EditRefused("unknown-name", `"${position.member}" is not in ${placeName(scope)} any more.`);
  assertNotNested(document.flow, scope, [name]);
  if (rosterAt(transaction, scope))
    addMember(transaction, scope, name, position?.side === "after" ? position.member : undefined);
  else {
    const topology = topologyOf(document.flow, scope);
    const joinType = containerOf(document.flow, scope)?.mode === "parallel" ? "parallel" : "serial";
    writeScope(
      transaction,
      scope,
      position ? insertAt(topology, name, position) : insertLast(topology, name, joinType),
    );
  }
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

const laneOf = (scope: Scope): string | null => (scope.type === "lane" ? scope.lane : null);
const isSameScope = (a: Scope, b: Scope): boolean =>
  a.type === b.type && ownerOf(a) === ownerOf(b) && laneOf(a) === laneOf(b);

function isOnlyMember(transaction: EditTransaction, scope: Scope, name: string): boolean {
  assertScope(transaction.document, scope);
  const members = membersAt(transaction, scope);
  return members.length === 1 && members[0] === name;
}

const placeName = (scope: Scope): string => {
  if (scope.type === "root") return "the flow";
  return scope.type === "lane" ? `the lane "${scope.lane}" of "${scope.name}"` : `"${scope.name}"`;
};

import type { Scope } from "../../flow/edit";
import { rosterOf } from "../../kinds/swarm-roster";
import { hasImpliedMembers, topologyOf } from "../read/topology";
import { setSwarmField } from "./edit-roster";
import type { EditTransaction } from "./edit-transaction";
import { writeTopology } from "./write-topology";

const root: Scope = { type: "root" };

/** Writes the members that the file implies, so that an agent that is declared next does not become one of them. */
export function writeImpliedMembers(transaction: EditTransaction): void {
  const { document } = transaction;
  const { agents, swarm } = document.flow;
  if (agents.size === 0 || !hasImpliedMembers(document)) return;
  if (swarm.mode !== "workflow") setSwarmField(transaction, root, "agents", rosterOf(swarm));
  else transaction.apply(writeTopology(document, root, topologyOf(document.flow, root)));
}

/** Keeps new agents beside the flow when no edit made them members and the file would imply that they are. */
export function keepWaiting(transaction: EditTransaction): void {
  const { document } = transaction;
  if (document.flow.agents.size > 0 && hasImpliedMembers(document))
    transaction.apply(writeTopology(document, root, null));
}

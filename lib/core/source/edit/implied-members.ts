import type { Scope } from "../../flow/edit";
import { rosterOf } from "../../kinds/swarm-roster";
import { hasImpliedMembers, topologyOf } from "../read/topology";
import { setSwarmField } from "./edit-roster";
import type { EditTransaction } from "./edit-transaction";
import { writeTopology } from "./write-topology";

const root: Scope = { type: "root" };

/** Writes the members that the file implies, so that an agent that is declared next does not become one of them. */
export function writeImpliedMembers(changing: EditTransaction): void {
  const { document } = changing;
  const { agents, swarm } = document.flow;
  if (agents.size === 0 || !hasImpliedMembers(document)) return;
  if (swarm.mode !== "workflow") setSwarmField(changing, root, "agents", rosterOf(swarm));
  else changing.apply(writeTopology(document, root, topologyOf(document.flow, root)));
}

/** Keeps new agents beside the flow when no edit made them members and the file would imply that they are. */
export function keepWaiting(changing: EditTransaction): void {
  const { document } = changing;
  if (document.flow.agents.size > 0 && hasImpliedMembers(document)) changing.apply(writeTopology(document, root, null));
}

import type { RunEvent } from "../events/events";

/** Paths of the approvals that were given in a run. Approved tool calls and answered questions are none. */
export function listApprovedGates(events: readonly RunEvent[]): string[] {
  const gates = new Map<number, string>();
  const approved = new Set<string>();
  for (const event of events) {
    if (event.type === "node.started" && event.kind === "approval") gates.set(event.id, event.path);
    const gate =
      event.type === "answer.given" && event.answer.decision === "approved" ? gates.get(event.id) : undefined;
    if (gate !== undefined) approved.add(gate);
  }
  return [...approved];
}

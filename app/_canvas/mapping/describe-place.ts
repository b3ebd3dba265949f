import { type Control, type Flow, findDeclaration } from "@/lib/core/flow/flow";
import { swarmDefaults } from "@/lib/core/kinds/swarm";

const laneWords: ReadonlyMap<string, string> = new Map([
  ["if_true", "yes"],
  ["if_false", "no"],
  ["body", ""],
]);

/** The lane that begins with a card, in words; empty for most. */
export const describeLane = (lane = ""): string => laneWords.get(lane) ?? lane;

/** What a group, swarm or control does, in the few words of its frame. */
export function describePlace(flow: Flow, name: string): string {
  const found = findDeclaration(flow, name);
  if (found?.type === "swarm" && found.mode === "handoff")
    return `at most ${found.max_handoffs ?? swarmDefaults.max_handoffs} handoffs`;
  if (found?.type === "swarm" && found.mode === "orchestrate")
    return `${found.max_concurrent ?? swarmDefaults.max_concurrent} at a time`;
  return !found || found.type === "agent" || found.type === "group" || found.type === "swarm"
    ? ""
    : describeControl(found);
}

function describeControl(control: Control): string {
  switch (control.type) {
    case "branch":
      return control.condition;
    case "router":
      return control.model ?? "no model";
    case "approval":
      return control.message === "" ? "asks a person" : control.message;
    case "loop":
      if (control.count !== undefined) return `${Math.min(control.count, control.limit)} times`;
      return control.while === undefined
        ? `for each of ${control.for_each ?? "?"}, at most ${control.limit}`
        : `while ${control.while}, at most ${control.limit}`;
  }
}

import { type Control, type Flow, findDeclaration, swarmDefaults } from "@/lib/core/flow/flow";

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
  if (found?.kind === "swarm" && found.value.type === "handoff")
    return `at most ${found.value.max_handoffs ?? swarmDefaults.max_handoffs} handoffs`;
  if (found?.kind === "swarm" && found.value.type === "orchestrate")
    return `${found.value.max_concurrent ?? swarmDefaults.max_concurrent} at a time`;
  return !found || found.kind === "agent" || found.kind === "group" || found.kind === "swarm"
    ? ""
    : describeControl(found.value);
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

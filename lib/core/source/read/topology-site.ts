import { isSeq, type Node } from "yaml";
import type { TextRange } from "../../flow/text-range";
import { readText, type YamlEntry } from "../yaml/yaml-nodes";

/** The members of a swarm, group or control in the flow file. */
export interface SourceTopology {
  /** The value of the declaration: a mapping, or null while there is none. */
  node: Node | null;
  entries: ReadonlyMap<string, YamlEntry>;
  /** The name of every member with its range in the file, in order. */
  references: { name: string; range: TextRange }[];
  /** The entries whose values are DSL texts: `flow`, or for controls by lane: `if_true`, `body`, a router's lanes. */
  texts: Map<string, YamlEntry>;
}

/** Whether a root swarm lists its members. If not, all agents are its members, in the order of the file. */
export function listsMembers({ entries }: Pick<SourceTopology, "entries">): boolean {
  const isDraft = entries.has("edges") && (readText(entries.get("type")?.value ?? null) ?? "workflow") === "workflow";
  const order = entries.get("order")?.value ?? null;
  return entries.has("flow") || entries.has("agents") || isDraft || (isSeq(order) && order.items.length > 0);
}

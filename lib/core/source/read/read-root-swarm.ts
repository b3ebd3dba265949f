import { nameExpression, serialExpression } from "../../flow/expression";
import { createSuggester } from "../../flow/suggest-name";
import { clip } from "../../flow/text-range";
import { membersOf } from "../../kinds/registry";
import type { Swarm } from "../../kinds/swarm";
import { readItems, readText } from "../yaml/yaml-nodes";
import type { EntryReader } from "./entry-reader";
import type { SourceTopology } from "./topology-site";

/** A root swarm that lists no members: all agents are its members, in the order of the file. */
export function withAllAgents(swarm: Swarm, agents: Iterable<string>): Swarm {
  const names = [...agents];
  if (names.length === 0) return swarm;
  if (swarm.mode !== "workflow") return { ...swarm, agents: names };
  return { ...swarm, flow: serialExpression(names.map((name) => nameExpression(name))) };
}

/** Reports names of Orbiter's `order` that are not declared. What is in the flow too is checked there. */
export function reportUnknownOrder(
  swarm: Swarm,
  { entries }: SourceTopology,
  declared: readonly string[],
  reader: EntryReader,
): void {
  const items = readItems(entries.get("order")?.value, reader.document) ?? [];
  if (items.length === 0) return;
  const knownNames = new Set([...declared, ...membersOf(swarm)]);
  const suggest = createSuggester(declared);
  for (const item of items) {
    const name = readText(item)?.trim() ?? "";
    if (name === "" || knownNames.has(name)) continue;
    const near = suggest(name);
    const hint = near === null ? "Declare it under `agents:`." : `Did you mean "${near}"?`;
    const message = `\`order\` lists "${clip(name)}", which is not declared. ${hint}`;
    reader.report("unknown-name", "error", message, item);
  }
}

import { applyChanges } from "../../../flow/text-change";
import { rosterOf } from "../../../kinds/swarm-roster";
import { asMap, EntryEditor } from "../../edit/entry-editor";
import { readSource } from "../../read-source";
import type { Exported, ExportSource } from "./exported";

/**
 * The flow file as it is stored. Orbiter's loader reads no `agents:` of a swarm and takes the agents in declared order:
 * where another one leads or starts, or not all are members, `order:` is added, which both read.
 */
export function exportYaml({ text, flow }: ExportSource): Exported {
  const { swarm, agents } = flow;
  const roster = rosterOf(swarm);
  const isRoster = swarm.mode === "team" || swarm.mode === "handoff";
  if (!isRoster || !swarm.agents || !roster.every((name) => agents.has(name))) return unchanged(text);
  const site = readSource(text).topologies.get(null);
  const map = asMap(site?.node ?? null);
  const written = site?.entries.get("order");
  if (!site || !map || site.entries.has("flow") || (!written && isSame(roster, [...agents.keys()])))
    return unchanged(text);
  const editor = new EntryEditor(text);
  const change = written ? editor.set(written, roster, map.flow === true) : editor.add(map, "order", roster);
  return unchanged(applyChanges(text, [change]));
}

const unchanged = (text: string): Exported => ({ text, notes: [], losses: [] });

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, index) => name === b[index]);

import type { Layout } from "@/lib/core/flow/edit";
import type { Flow } from "@/lib/core/flow/flow";
import { keyNames, type NodeKey, nodeKey } from "@/lib/core/flow/keys";

/** A declared name that was typed over: one went, one came. Null when more (or less) than that happened. */
export function findRename(before: Flow, after: Flow): { from: string; to: string } | null {
  const [old, now] = [declaredNames(before), declaredNames(after)];
  const gone = [...old].filter((name) => !now.has(name));
  const come = [...now].filter((name) => !old.has(name));
  const [from, to] = [gone[0], come[0]];
  return gone.length === 1 && come.length === 1 && from !== undefined && to !== undefined ? { from, to } : null;
}

const declaredNames = (flow: Flow): Set<string> =>
  new Set([...flow.agents.keys(), ...flow.groups.keys(), ...flow.swarms.keys()]);

const renameKey = (key: NodeKey, from: string, to: string): NodeKey =>
  keyNames(key).reduce((parent, name) => nodeKey(parent, name === from ? to : name), "");

/** Pins and selection stay with what they belong to when its name is typed over in the text. */
export function followRename<T extends { layout: Layout; selection: readonly NodeKey[] }>(
  state: T,
  { from, to }: { from: string; to: string },
): Pick<T, "layout" | "selection"> {
  const pins = Object.fromEntries(
    Object.entries(state.layout.pins).map(([key, pin]) => [renameKey(key, from, to), pin]),
  );
  return { layout: { pins }, selection: state.selection.map((key) => renameKey(key, from, to)) };
}

/**
 * Identity of a place in a flow: the declared names from the root down, joined by `/`.
 * The canvas node, its pin in the layout and the RunNode of the agent that ran there share it
 * (`review/analyst` is the agent `analyst` inside the group `review`). Stable under edits elsewhere. A key has no bare `#`:
 * what follows one in the path of a RunNode tells apart what runs more than once (`refine#2/writer`) or is a call below the
 * agent (`review/analyst#llm-1`).
 */
export type NodeKey = string;

const special = /[%/#]/;
/** Most names need none: a look is faster than a replacement. */
const escapeName = (name: string): string =>
  special.test(name) ? name.replaceAll(/[%/#]/g, encodeURIComponent) : name;
const unescapeName = (part: string): string =>
  part.replaceAll("%23", "#").replaceAll("%2F", "/").replaceAll("%25", "%");

/** The key of `name` inside the place `parent` (`""` is the root swarm). */
export const nodeKey = (parent: NodeKey, name: string): NodeKey =>
  parent === "" ? escapeName(name) : `${parent}/${escapeName(name)}`;

/** The names from the root down. */
export const keyNames = (key: NodeKey): string[] => (key === "" ? [] : key.split("/").map(unescapeName));

/** The node key that the path of a RunNode stands for: without the marks of rounds, visits and calls. */
export const keyOfPath = (path: string): NodeKey => (path.includes("#") ? path.replaceAll(/#[^/]*/g, "") : path);

/** The place that holds `key`; the root's own is the root. */
export const parentKey = (key: NodeKey): NodeKey => key.slice(0, Math.max(0, key.lastIndexOf("/")));

/** The key with every part that names `from` naming `to`. */
export const renameInKey = (key: NodeKey, from: string, to: string): NodeKey =>
  keyNames(key).reduce((parent, name) => nodeKey(parent, name === from ? to : name), "");

/**
 * Identity of a node in a flow: the declared names from the root down, joined by `/`.
 * The canvas node, its pin in the layout and the RunNode of its agent share it
 * (`review/analyst` is the agent `analyst` inside the group `review`). Stable under edits elsewhere. A key has no bare `#`:
 * in the path of a RunNode, a `#` begins the number of a round or visit (`refine#2/writer`), or a call of the agent
 * (`review/analyst#llm-1`).
 */
export type NodeKey = string;

const special = /[%/#]/;
/** Most names need no escape: a test is faster than a replacement. */
const escapeName = (name: string): string =>
  special.test(name) ? name.replaceAll(/[%/#]/g, encodeURIComponent) : name;
const unescapeName = (segment: string): string =>
  segment.replaceAll("%23", "#").replaceAll("%2F", "/").replaceAll("%25", "%");

/** The key of the member `name` of `parent` (`""` is the root swarm). */
export const nodeKey = (parent: NodeKey, name: string): NodeKey =>
  parent === "" ? escapeName(name) : `${parent}/${escapeName(name)}`;

/** The names from the root down. */
export const keyNames = (key: NodeKey): string[] => (key === "" ? [] : key.split("/").map(unescapeName));

/** The node key of the path of a RunNode: without the marks of rounds, visits and calls. */
export const keyOfPath = (path: string): NodeKey => (path.includes("#") ? path.replaceAll(/#[^/]*/g, "") : path);

/** The key of the container of `key`; of the root, the root. */
export const parentKey = (key: NodeKey): NodeKey => key.slice(0, Math.max(0, key.lastIndexOf("/")));

/** The key with every segment `oldName` replaced by `newName`. */
export const renameInKey = (key: NodeKey, oldName: string, newName: string): NodeKey =>
  keyNames(key).reduce((parent, name) => nodeKey(parent, name === oldName ? newName : name), "");

import type { Flow } from "../flow/flow";
import type { NodeKey } from "../flow/node-key";
import { listNotes, type Notes, titleOfNote } from "../flow/note";
import { findUnreached } from "../kinds/members";
import { lanesOf } from "../kinds/registry";
import type { ArrangedNode, EdgeType } from "./arrangement";
import { type Box, buildRoot, type ListBox, toNode } from "./build-boxes";

/** How the children of a row are related; `members`: of a swarm without an order. */
export type Joins = "serial" | "parallel" | "lanes" | "members";

/** The node of a row of the outline. */
type OutlineNode = Pick<ArrangedNode, "key" | "name" | "type" | "mode" | "agentNumber">;

/**
 * One row: the flow itself, a list in parentheses, a lane of a control, a node, a link between members, the declarations
 * outside of the flow (`waiting`), or the notes of the canvas and each of them.
 */
export interface OutlineItem {
  /** Unique in an outline. Of a node or note: its key; of a link: the key of its edge. Others contain a bare `#`, which keys do not. */
  id: string;
  type: "root" | "list" | "lane" | "node" | "link" | "waiting" | "notes" | "note";
  /** A name, the name of a lane, the first words of a note, or empty for a list in parentheses. */
  label: string;
  /** 1 for the root. */
  level: number;
  /** Index of the parent row; -1 for the outermost. */
  parent: number;
  /** Index after its last descendant. */
  end: number;
  /** From 1, among the rows of the same parent, and the number of those. */
  position: number;
  size: number;
  joins: Joins | null;
  /** The number of its children. */
  childCount: number;
  /** Of a link. */
  edge?: EdgeType;
  node?: OutlineNode;
}

export interface Outline {
  items: readonly OutlineItem[];
  /** The index of each node (of its first row, if it has several), link and note, by id. */
  indexes: ReadonlyMap<string, number>;
}

/** Cached by flow and notes: the tree, the keyboard commands of the canvas and the announcements all read it. */
const outlines = new WeakMap<Flow, { notes: Notes | undefined; outline: Outline }>();

/**
 * The flow as a tree in written order: the content of the canvas as rows. A list in parentheses has a row of its own unless
 * it is the only child of its parent. Linear; every node key of the arrangement is the id of one row. Notes come last.
 */
export function outlineFlow(flow: Flow, notes?: Notes): Outline {
  const cached = outlines.get(flow);
  if (cached && cached.notes === notes) return cached.outline;
  const outline = new Builder(flow).build(notes);
  outlines.set(flow, { notes, outline });
  return outline;
}

/** The key of the node or note of a row in a selection; undefined for other rows. */
export const keyOfRow = (item: OutlineItem | undefined): NodeKey | undefined =>
  item?.type === "note" ? item.id : item?.node?.key;

/** The indexes of the visible rows while some are collapsed. */
export function listVisible({ items }: Outline, closed: ReadonlySet<string>): number[] {
  const rows: number[] = [];
  for (let index = 0; index < items.length; ) {
    const item = items[index];
    rows.push(index);
    index = item && closed.has(item.id) ? item.end : index + 1;
  }
  return rows;
}

/** The indexes of the children of a row; of -1, of the outermost rows. */
export function childrenOf({ items }: Outline, parent: number): number[] {
  const children: number[] = [];
  const end = items[parent]?.end ?? items.length;
  for (let index = parent + 1; index < end; index = items[index]?.end ?? end) children.push(index);
  return children;
}

/** The nodes or notes of a row: itself, or the direct content of a list, a lane or the notes. */
export function nodesAt(outline: Outline, index: number): NodeKey[] {
  const item = outline.items[index];
  const key = keyOfRow(item);
  if (key !== undefined) return [key];
  if (item?.type !== "list" && item?.type !== "lane" && item?.type !== "notes") return [];
  return childrenOf(outline, index).flatMap((child) => nodesAt(outline, child));
}

class Builder {
  readonly #items: OutlineItem[] = [];
  readonly #indexes = new Map<string, number>();

  constructor(readonly flow: Flow) {}

  build(notes: Notes | undefined): Outline {
    const root = this.#open({ id: "#root", type: "root", label: this.flow.name }, -1);
    this.#fill(root, buildRoot(this.flow, "right").root);
    this.#close(root);
    const waiting = findUnreached(this.flow);
    if (waiting.length > 0) {
      const parent = this.#open({ id: "#waiting", type: "waiting", label: "" }, -1);
      for (const name of waiting) this.#addNode(toNode(this.flow, name, ""), parent);
      this.#close(parent, "members");
    }
    const noteList = listNotes(notes);
    if (noteList.length > 0) {
      const parent = this.#open({ id: "#notes", type: "notes", label: "" }, -1);
      for (const note of noteList) this.#open({ id: note.key, type: "note", label: titleOfNote(note) }, parent);
      this.#close(parent, "members");
    }
    this.#count();
    return { items: this.#items, indexes: this.#indexes };
  }

  #open(fields: Pick<OutlineItem, "id" | "type" | "label" | "node" | "edge">, parent: number): number {
    const index = this.#items.length;
    const level = (this.#items[parent]?.level ?? 0) + 1;
    this.#items.push({ ...fields, level, parent, end: index + 1, position: 1, size: 1, joins: null, childCount: 0 });
    if (!this.#indexes.has(fields.id)) this.#indexes.set(fields.id, index);
    return index;
  }

  #close(index: number, joins?: Joins): void {
    const item = this.#items[index];
    if (!item) return;
    item.end = this.#items.length;
    if (joins && item.end > index + 1) item.joins = joins;
  }

  /** Adds the children of a row: the members of its only list, or its only member. */
  #fill(parent: number, box: Box): void {
    if (!("members" in box)) this.#add(box, parent);
    else if (box.extra) this.#addMembers(box, box.extra.links, parent);
    else for (const member of box.members) this.#add(member, parent);
    this.#close(parent, !("members" in box) ? "serial" : box.extra ? "members" : box.type);
  }

  #add(box: Box, parent: number): void {
    if (!("members" in box)) {
      const index = this.#addNode(box.node, parent);
      if (box.type === "frame") this.#addFrame(box.node, box.content, index);
      this.#close(index, this.#items[index]?.joins ?? undefined);
      return;
    }
    const id = `${firstKey(box)}#${box.type}${this.#items[parent]?.level}`;
    this.#fill(this.#open({ id, type: "list", label: "" }, parent), box);
  }

  #addNode(node: ArrangedNode, parent: number): number {
    const again = this.#indexes.has(node.key);
    const id = again ? `${node.key}#${this.#items.length}` : node.key;
    return this.#open({ id, type: "node", label: node.name, node }, parent);
  }

  /** Adds the members of a group or swarm, or the lanes of a control. */
  #addFrame({ key, name }: ArrangedNode, content: Box, index: number): void {
    const control = this.flow.controls.get(name);
    if (!control || !("members" in content)) {
      this.#fill(index, content);
      return;
    }
    const lanes = lanesOf(control).filter(([, flow]) => flow);
    content.members.forEach((member, number) => {
      const lane = lanes[number]?.[0] ?? "";
      this.#fill(this.#open({ id: `${key}#lane-${lane}`, type: "lane", label: lane }, index), member);
    });
    this.#close(index, "lanes");
  }

  /** The members of a swarm without an order, each with the links that begin there. */
  #addMembers(box: ListBox, links: readonly (readonly [string, string])[], parent: number): void {
    for (const card of box.members.flatMap((rank) => ("members" in rank ? rank.members : []))) {
      if (!("node" in card)) continue;
      const index = this.#addNode(card.node, parent);
      if (card.type === "frame") this.#addFrame(card.node, card.content, index);
      for (const [source, targetName] of links) {
        const target = source === card.node.name ? box.extra?.nodes.get(targetName) : undefined;
        const id = `${card.node.key}//${target?.key}`;
        if (!target || this.#indexes.has(id)) continue;
        this.#open({ id, type: "link", label: targetName, edge: box.extra?.type ?? "flow" }, index);
      }
      this.#close(index);
    }
  }

  #count(): void {
    const counts = new Map<number, number>();
    for (const item of this.#items) {
      item.position = (counts.get(item.parent) ?? 0) + 1;
      counts.set(item.parent, item.position);
    }
    this.#items.forEach((item, index) => {
      item.size = counts.get(item.parent) ?? 1;
      item.childCount = counts.get(index) ?? 0;
    });
  }
}

/** The key of the first node in a list. */
function firstKey(box: Box): NodeKey {
  let current: Box | undefined = box;
  while (current && "members" in current) current = current.members[0];
  return current?.node.key ?? "";
}

import type { Flow } from "../flow/flow";
import type { NodeKey } from "../flow/node-key";
import { listNotes, type Notes, titleOfNote } from "../flow/note";
import { findUnreached } from "../kinds/members";
import { lanesOf } from "../kinds/registry";
import type { ArrangedNode, EdgeType } from "./arrangement";
import { type Box, buildRoot, type ListBox, toNode } from "./build-boxes";

/** How the children of a row stand to each other; `members`: of a swarm without an order of its own. */
export type Joins = "serial" | "parallel" | "lanes" | "members";

/** What a row of the outline stands for. */
export type OutlineNode = Pick<ArrangedNode, "key" | "name" | "type" | "mode">;

/**
 * One row: the flow itself, a part in parentheses, a lane of a control, a node, a link between members, what waits, or the
 * notes of the canvas and each of them.
 */
export interface OutlineItem {
  /** Unique in an outline. A node's and a note's is its key, a link's the key of its edge; a key holds no bare `#`, others do. */
  id: string;
  type: "root" | "list" | "lane" | "node" | "link" | "waiting" | "notes" | "note";
  /** A name, the name of a lane, the first words of a note, or empty for a part in parentheses. */
  label: string;
  /** 1 for the root. */
  level: number;
  /** Index of the row that holds it; -1 for the outermost. */
  parent: number;
  /** Index behind the last row that it holds. */
  end: number;
  /** From 1, among the rows of the same holder, and how many those are. */
  position: number;
  size: number;
  joins: Joins | null;
  /** How many rows it holds directly. */
  held: number;
  /** Of a link. */
  edge?: EdgeType;
  node?: OutlineNode;
}

export interface Outline {
  items: readonly OutlineItem[];
  /** Where each node stands (the first place, if there are several), each link and each note. */
  indexes: ReadonlyMap<string, number>;
}

/** Made once for each flow and its notes: the tree, the keys of the canvas and what is said aloud ask for it. */
const outlines = new WeakMap<Flow, { bare: Outline; notes: Notes | undefined; whole: Outline }>();

/**
 * The flow as a tree in written order: what the canvas draws, as rows. A part in parentheses has a row of its own unless
 * it is all that its holder holds. Linear; every node key of the arrangement is the id of one row. Notes come last.
 */
export function outlineFlow(flow: Flow, notes?: Notes): Outline {
  const known = outlines.get(flow);
  if (known && known.notes === notes) return known.whole;
  const bare = known?.bare ?? new Builder(flow).build();
  const whole = withNotes(bare, notes);
  outlines.set(flow, { bare, notes, whole });
  return whole;
}

function withNotes({ items, indexes }: Outline, notes: Notes | undefined): Outline {
  const papers = listNotes(notes);
  if (papers.length === 0) return { items, indexes };
  const outermost = items.filter(({ parent }) => parent === -1).length;
  const first = items.length;
  const row = { joins: null, held: 0 };
  const holder: OutlineItem = {
    ...row,
    ...{ id: "#notes", type: "notes", label: "", level: 1, parent: -1, joins: "members", held: papers.length },
    ...{ end: first + 1 + papers.length, position: outermost + 1, size: outermost + 1 },
  };
  const rows = papers.map(
    (note, index): OutlineItem => ({
      ...row,
      ...{ id: note.key, type: "note", label: titleOfNote(note), level: 2, parent: first },
      ...{ end: first + 2 + index, position: index + 1, size: papers.length },
    }),
  );
  return {
    items: [...items.map((item) => (item.parent === -1 ? { ...item, size: outermost + 1 } : item)), holder, ...rows],
    indexes: new Map([...indexes, ...papers.map(({ key }, index): [string, number] => [key, first + 1 + index])]),
  };
}

/** What the selection calls the node or note of a row; undefined for others. */
export const keyOfRow = (item: OutlineItem | undefined): NodeKey | undefined =>
  item?.type === "note" ? item.id : item?.node?.key;

/** The rows that are seen while some are closed, as indexes. */
export function listVisible({ items }: Outline, closed: ReadonlySet<string>): number[] {
  const rows: number[] = [];
  for (let index = 0; index < items.length; ) {
    const item = items[index];
    rows.push(index);
    index = item && closed.has(item.id) ? item.end : index + 1;
  }
  return rows;
}

/** The rows that `parent` holds, as indexes; of -1 the outermost. */
export function childrenOf({ items }: Outline, parent: number): number[] {
  const children: number[] = [];
  const end = items[parent]?.end ?? items.length;
  for (let index = parent + 1; index < end; index = items[index]?.end ?? end) children.push(index);
  return children;
}

/** The nodes or notes that a row stands for: itself, or what a part in parentheses, a lane or the notes hold directly. */
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

  build(): Outline {
    const root = this.#open({ id: "#root", type: "root", label: this.flow.name }, -1);
    this.#fill(root, buildRoot(this.flow, "right").root);
    this.#close(root);
    const waiting = findUnreached(this.flow);
    if (waiting.length > 0) {
      const holder = this.#open({ id: "#waiting", type: "waiting", label: "" }, -1);
      for (const name of waiting) this.#close(this.#addNode(toNode(this.flow, name, ""), holder));
      this.#close(holder, "members");
    }
    this.#count();
    return { items: this.#items, indexes: this.#indexes };
  }

  #open(own: Pick<OutlineItem, "id" | "type" | "label" | "node" | "edge">, parent: number): number {
    const index = this.#items.length;
    const level = (this.#items[parent]?.level ?? 0) + 1;
    this.#items.push({ ...own, level, parent, end: index + 1, position: 1, size: 1, joins: null, held: 0 });
    if (!this.#indexes.has(own.id)) this.#indexes.set(own.id, index);
    return index;
  }

  #close(index: number, joins?: Joins): void {
    const item = this.#items[index];
    if (!item) return;
    item.end = this.#items.length;
    if (joins && item.end > index + 1) item.joins = joins;
  }

  /** What a holder holds: the members of its one list, or its one member. */
  #fill(holder: number, box: Box): void {
    if (!("members" in box)) this.#add(box, holder);
    else if (box.extra) this.#addMembers(box, box.extra.links, holder);
    else for (const member of box.members) this.#add(member, holder);
    this.#close(holder, !("members" in box) ? "serial" : box.extra ? "members" : box.type);
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

  /** A group or swarm holds its members, a control its lanes. */
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
  #addMembers(box: ListBox, links: readonly (readonly [string, string])[], holder: number): void {
    for (const card of box.members.flatMap((rank) => ("members" in rank ? rank.members : []))) {
      if (!("node" in card)) continue;
      const index = this.#addNode(card.node, holder);
      if (card.type === "frame") this.#addFrame(card.node, card.content, index);
      for (const [from, to] of links) {
        const target = from === card.node.name ? box.extra?.nodes.get(to) : undefined;
        const id = `${card.node.key}//${target?.key}`;
        if (!target || this.#indexes.has(id)) continue;
        this.#close(this.#open({ id, type: "link", label: to, edge: box.extra?.type ?? "flow" }, index));
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
      item.held = counts.get(index) ?? 0;
    });
  }
}

/** The key of the first node in a list. */
function firstKey(box: Box): NodeKey {
  let at: Box | undefined = box;
  while (at && "members" in at) at = at.members[0];
  return at?.node.key ?? "";
}

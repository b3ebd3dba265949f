import { keyNames } from "../../../../flow/node-key";
import type { ArrangedEdge, ArrangedNode, Arrangement } from "../../../../layout/arrangement";
import type { CanvasBox, CanvasPoint } from "../../../../layout/scene/canvas-box";
import { isPaired, toLabelPoint, toLinePath } from "../../../../layout/scene/drawn-links";
import { toLinkPoints } from "../../../../layout/scene/link-points";
import { isDownward, routeOf } from "../../../../layout/scene/link-route";
import { indexNodes } from "../../../../layout/scene/node-index";
import type { FlowDiff, NodeChange, NodeChangeType } from "../../../query/diff-flows";
import type { ComparisonPalette } from "./palettes";
import { rect, text } from "./svg-shapes";

interface ChangedPicture {
  before: Arrangement;
  after: Arrangement;
  diff: FlowDiff;
  /** Of what is drawn of the newer flow. */
  bounds: CanvasBox;
  palette: ComparisonPalette;
}

/** Over a picture of the newer flow: marks at its nodes and links, cards of removed nodes below it, and removed links. */
export function drawChanges({ before, after, diff, bounds, palette }: ChangedPicture): {
  shapes: string[];
  reach: CanvasBox[];
} {
  const changes = new Map(diff.nodes.map((node) => [node.name, node]));
  const renames = new Map(diff.nodes.flatMap((node) => (node.type === "renamed" ? [[node.oldName, node]] : [])));
  const newNameOf = (key: string): string => {
    const name = keyNames(key).at(-1) ?? "";
    return renames.get(name)?.name ?? name;
  };
  const links = diffLinks(before, after, newNameOf);
  const removed = placeRemoved(diff.nodes, bounds);
  const boxes = new Map<string, CanvasBox>([...removed.map(({ node, box }): [string, CanvasBox] => [node.name, box])]);
  for (const node of after.nodes) if (!boxes.has(node.name)) boxes.set(node.name, node);
  const removedLinks = links.removed.flatMap(([from, to]) => toRemovedLink(boxes.get(from), boxes.get(to)) ?? []);
  const line = `fill="none" stroke="${palette.changes.removed}" stroke-width="2.5" stroke-dasharray="7 5"`;
  return {
    shapes: [
      ...removedLinks.map(({ path }) => `<path d="${path}" ${line}/>`),
      ...links.added.map((edge) => drawAddedLink(after, edge, palette)),
      ...removed.map(({ node, box }) => drawRemovedCard(node, box, palette)),
      ...after.nodes.map((node) => drawNodeMark(node, changes.get(node.name), palette)),
      ...removedLinks.map(({ middle }) => drawSign(middle, "removed", palette)),
    ].filter((shape) => shape !== ""),
    reach: removed.map(({ box }) => box),
  };
}

/** Links by the names of their ends, so that nodes which moved into a group keep theirs. */
function diffLinks(before: Arrangement, after: Arrangement, newNameOf: (key: string) => string) {
  const endsOf = ({ from, to }: ArrangedEdge): [string, string] => [newNameOf(from), newNameOf(to)];
  const [old, current] = [before, after].map(
    ({ edges }) => new Map(edges.map((edge) => [JSON.stringify(endsOf(edge)), edge])),
  );
  return {
    added: [...(current ?? [])].flatMap(([ends, edge]) => (old?.has(ends) ? [] : [edge])),
    removed: [...(old ?? [])].flatMap(([ends, edge]) => (current?.has(ends) ? [] : [endsOf(edge)])),
  };
}

const card = { width: 200, height: 64, gap: 32, below: 48 };

/** In rows below the picture, as wide as that is. */
function placeRemoved(nodes: readonly NodeChange[], bounds: CanvasBox): { node: NodeChange; box: CanvasBox }[] {
  const columns = Math.max(1, Math.floor((bounds.width + card.gap) / (card.width + card.gap)));
  return nodes
    .filter(({ type }) => type === "removed")
    .map((node, index) => {
      const x = bounds.x + (index % columns) * (card.width + card.gap);
      const y = bounds.y + bounds.height + card.below + Math.floor(index / columns) * (card.height + card.gap);
      return { node, box: { x, y, width: card.width, height: card.height } };
    });
}

function drawRemovedCard({ name, kind }: NodeChange, box: CanvasBox, palette: ComparisonPalette): string {
  const color = palette.changes.removed;
  const room = { x: box.x + 16, width: box.width - 48 };
  return [
    `<g>${rect(box, `rx="12" fill="${palette.card}" stroke="${color}" stroke-width="2" stroke-dasharray="5 4"`)}`,
    text(name, { ...room, y: box.y + 27, size: 14, weight: 600, fill: palette.text }),
    text(`Removed ${kind}`, { ...room, y: box.y + 46, size: 12, weight: 600, fill: color }),
    `${drawSign({ x: box.x + box.width, y: box.y }, "removed", palette)}</g>`,
  ].join("");
}

const wordsOf = (change: NodeChange): string =>
  change.type === "renamed" ? `Renamed, was ${change.oldName}` : change.type === "added" ? "Added" : "Changed";

/** An outline, a sign at the upper right corner, and the word below the lower right one. */
function drawNodeMark(node: ArrangedNode, change: NodeChange | undefined, palette: ComparisonPalette): string {
  if (change === undefined) return "";
  const { x, y, width, height } = node;
  const color = palette.changes[change.type];
  const outline = rect(
    { x: x - 4, y: y - 4, width: width + 8, height: height + 8 },
    `rx="16" fill="none" stroke="${color}" stroke-width="3"`,
  );
  const label = { x: x + width, y: y + height + 20, width, size: 13, weight: 600, fill: color, anchor: "end" } as const;
  return `<g>${outline}${drawSign({ x: x + width, y }, change.type, palette)}${text(wordsOf(change), label)}</g>`;
}

/** Strokes around the middle of a disc. */
const signs: Record<NodeChangeType, string> = {
  added: "M-5 0H5M0 -5V5",
  removed: "M-5 0H5",
  changed: "M-5 2Q-2.5 -4 0 0T5 -2",
  renamed: "M-5 0H5M1 -4L5 0L1 4",
};

const drawSign = ({ x, y }: CanvasPoint, type: NodeChangeType, { changes, card: ground }: ComparisonPalette): string =>
  `<g transform="translate(${x} ${y})"><circle r="11" fill="${changes[type]}" stroke="${ground}" stroke-width="2"/><path d="${signs[type]}" fill="none" stroke="${ground}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></g>`;

function drawAddedLink(arrangement: Arrangement, edge: ArrangedEdge, palette: ComparisonPalette): string {
  const nodes = indexNodes(arrangement);
  const [source, target] = [nodes.get(edge.from), nodes.get(edge.to)];
  if (!source || !target) return "";
  const route = routeOf(arrangement, edge);
  const points = toLinkPoints({ source, target, down: isDownward(arrangement, source) }, route);
  const line = toLinePath(points, { type: edge.type, isPaired: isPaired(arrangement, edge, route) });
  const stroke = `stroke="${palette.changes.added}" stroke-width="4"`;
  return `<g><path d="${line}" fill="none" ${stroke}/>${drawSign(toLabelPoint(points, edge.type), "added", palette)}</g>`;
}

/** How far a removed link is bent, as a share of its length: a straight one would lie on the links of a chain. */
const bend = 0.2;

function toRemovedLink(
  source: CanvasBox | undefined,
  target: CanvasBox | undefined,
): { path: string; middle: CanvasPoint } | null {
  if (!source || !target) return null;
  const [start, end] = [toBorder(source, middleOf(target)), toBorder(target, middleOf(source))];
  const turn = {
    x: (start.x + end.x) / 2 + (end.y - start.y) * bend,
    y: (start.y + end.y) / 2 - (end.x - start.x) * bend,
  };
  const path = `M${start.x} ${start.y}Q${turn.x} ${turn.y} ${end.x} ${end.y}`;
  const middle = { x: (start.x + 2 * turn.x + end.x) / 4, y: (start.y + 2 * turn.y + end.y) / 4 };
  return { path, middle };
}

const middleOf = ({ x, y, width, height }: CanvasBox): CanvasPoint => ({ x: x + width / 2, y: y + height / 2 });

/** Where the line from the middle of a box to a point leaves the box. */
function toBorder(box: CanvasBox, towards: CanvasPoint): CanvasPoint {
  const { x, y } = middleOf(box);
  const [dx, dy] = [towards.x - x, towards.y - y];
  const share = Math.min(1, dx === 0 ? 1 : box.width / 2 / Math.abs(dx), dy === 0 ? 1 : box.height / 2 / Math.abs(dy));
  return { x: x + dx * share, y: y + dy * share };
}

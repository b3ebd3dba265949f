import type { ArrangedFlow } from "@/app/_canvas/navigation/navigation";
import type { Edit } from "@/lib/core/flow/edit";
import { keyNames, type NodeKey } from "@/lib/core/flow/node-key";
import type { ArrangedEdge, ArrangedNode, Arrangement } from "@/lib/core/layout/arrange-flow";
import { cardSizes, gap } from "@/lib/core/layout/arrangement";
import type { CanvasBox } from "@/lib/core/layout/scene/canvas-box";
import { boundsOf } from "@/lib/core/layout/scene/canvas-box";
import { indexNodes } from "@/lib/core/layout/scene/node-index";
import { sceneOf } from "@/lib/core/layout/scene/scene";
import { isWorkflow } from "@/lib/core/source/read/topology";
import { type DropPosition, findDropTarget, sideOf, toDropEdit, toMoveEdit } from "./drop-target";
import type { InsertTarget } from "./insert-target";
import { memberScope, toScope } from "./node-edits";

/** Where the pointer is, in canvas pixels, and the link below it. */
export interface DropPoint {
  x: number;
  y: number;
  edge: string | null;
}

/** What a drop will do, and what shows it on the canvas. */
export interface DropPreview {
  words: string;
  /** The frame that takes what is dropped; `""` is the root swarm. */
  frame: NodeKey;
  edge: string | null;
  /** The card next to which it goes. */
  member: CanvasBox | null;
  /** Where it goes: a line between cards, or the place of a new card. */
  mark: { type: "line" | "card"; box: CanvasBox } | null;
}

type DropContext = Pick<ArrangedFlow, "flow" | "arrangement">;

type DropSide = DropPosition["side"];

/** The part of a card, at both ends along the flow, that means before and after. */
const endShare = 0.28;

export function planInsert(picture: DropContext, point: DropPoint): { target: InsertTarget; preview: DropPreview } {
  const { flow, arrangement } = picture;
  const link = findLink(arrangement, point);
  if (link)
    return {
      target: { type: "edge", key: link.key },
      preview: { ...emptyPreview, words: `Insert between ${link.fromName} and ${link.toName}`, edge: link.key },
    };
  const place = findPlace(picture, point);
  if (!place) return { target: { type: "after", keys: [] }, preview: toEndPreview(picture) };
  const { member, side } = place;
  if (!isWorkflow(flow, memberScope(flow, member))) return toMemberPlan(member);
  const frame = member.parent === undefined ? "" : `, in ${keyNames(member.parent).at(-1)}`;
  const words = side === "beside" ? `Run beside ${member.name}` : `Insert ${side} ${member.name}`;
  return {
    target: { type: side, keys: [member.key] },
    preview: { ...toSidePreview(arrangement, member, side), words: words + frame },
  };
}

const findLink = ({ edges }: Arrangement, { edge }: DropPoint): ArrangedEdge | undefined =>
  edge === null ? undefined : edges.find(({ key }) => key === edge);

const emptyPreview: DropPreview = { words: "", frame: "", edge: null, member: null, mark: null };

/** Members without an order have no sides. */
function toMemberPlan({ parent }: ArrangedNode): { target: InsertTarget; preview: DropPreview } {
  if (parent === undefined)
    return { target: { type: "after", keys: [] }, preview: { ...emptyPreview, words: "Add as a member" } };
  return {
    target: { type: "into", key: parent },
    preview: { ...emptyPreview, words: `Add to ${keyNames(parent).at(-1)}`, frame: parent },
  };
}

/** On a card its nearest end, elsewhere in a frame the nearest member; null outside of both. */
function findPlace({ arrangement }: DropContext, point: DropPoint): { member: ArrangedNode; side: DropSide } | null {
  const { nodes, findIn } = sceneOf(arrangement);
  const hits = findIn({ x: point.x, y: point.y, width: 0, height: 0 }).flatMap((position) => nodes[position] ?? []);
  const card = hits.findLast(({ frame, placed }) => !frame && placed);
  if (card) return { member: card, side: sideOfCard(arrangement, card, point) };
  const frame = hits.findLast((node) => node.frame);
  if (!frame) return null;
  const target = findDropTarget(arrangement, "", point);
  const member = nodes.find(({ name, parent }) => name === target?.at?.member && parent === frame.key);
  return member ? { member, side: sideOf(frame, member, point) } : { member: frame, side: "after" };
}

function sideOfCard({ direction }: Arrangement, card: ArrangedNode, { x, y }: DropPoint): DropSide {
  const share = direction === "right" ? (x - card.x) / card.width : (y - card.y) / card.height;
  return share < endShare ? "before" : share > 1 - endShare ? "after" : "beside";
}

const lineWidth = 4;

function toSidePreview({ direction }: Arrangement, member: ArrangedNode, side: DropSide): DropPreview {
  const { x, y, width, height } = member;
  const isAcross = (side === "beside") === (direction === "right");
  const space = (side === "beside" ? gap.across : gap.along) / 2;
  const box = isAcross
    ? { x, y: (side === "before" ? y - space : y + height + space) - lineWidth / 2, width, height: lineWidth }
    : { x: (side === "before" ? x - space : x + width + space) - lineWidth / 2, y, width: lineWidth, height };
  return { ...emptyPreview, frame: member.parent ?? "", member: { x, y, width, height }, mark: { type: "line", box } };
}

/** The place of a card after the last step of the flow. */
function toEndPreview({ flow, arrangement }: DropContext): DropPreview {
  const { direction, density, nodes } = arrangement;
  if (!isWorkflow(flow, { type: "root" })) return { ...emptyPreview, words: "Add as a member" };
  const size = cardSizes[density];
  const roots = nodes.filter(({ parent, placed }) => placed && parent === undefined);
  const last = findLastStep(arrangement, roots);
  const bounds = boundsOf(last) ?? { x: 0, y: 0, width: -gap.along, height: size.height };
  const box =
    direction === "right"
      ? { ...size, x: bounds.x + bounds.width + gap.along, y: bounds.y + (bounds.height - size.height) / 2 }
      : { ...size, x: bounds.x + (bounds.width - size.width) / 2, y: bounds.y + bounds.height + gap.along };
  return {
    ...emptyPreview,
    words: roots.length === 0 ? "Add the first agent" : "Add to the end",
    mark: { type: "card", box },
  };
}

/** The steps that no other follows. */
function findLastStep({ edges }: Arrangement, roots: readonly ArrangedNode[]): ArrangedNode[] {
  const sources = new Set(edges.map(({ from: source }) => source));
  return roots.filter(({ key }) => !sources.has(key));
}

/** Null: only the position of the card changes. */
export function planMove(
  picture: DropContext,
  key: NodeKey,
  { point, centre }: { point: DropPoint; centre: { x: number; y: number } },
): { edit: Edit; preview: DropPreview } | null {
  const { flow, arrangement } = picture;
  const nodes = indexNodes(arrangement);
  const node = nodes.get(key);
  const link = findLink(arrangement, point);
  if (!node) return null;
  if (link && isFree(link, key)) {
    const edit = toMoveEdit(flow, node, toScope(flow, link.scope, link.fromName), besideLink(arrangement, link));
    const words = `Move ${node.name} between ${link.fromName} and ${link.toName}`;
    return { edit, preview: { ...emptyPreview, words, frame: link.scope, edge: link.key } };
  }
  const target = findDropTarget(arrangement, key, centre);
  if (!target) return null;
  const into = target.frame === "" ? "out to the flow" : `into ${keyNames(target.frame).at(-1)}`;
  const member =
    target.at &&
    arrangement.nodes.find(({ name, parent = "" }) => name === target.at?.member && parent === target.frame);
  const base = member && target.at ? toSidePreview(arrangement, member, target.at.side) : emptyPreview;
  const position = target.at ? `, ${target.at.side} ${target.at.member}` : "";
  return {
    edit: toDropEdit(flow, node, target),
    preview: { ...base, frame: target.frame, words: `Move ${node.name} ${into}${position}` },
  };
}

/** A link of the flow between two other cards. */
const isFree = ({ from: source, to: target, type }: ArrangedEdge, key: NodeKey): boolean =>
  (type === "flow" || type === "draft") &&
  ![source, target].some((end) => end === key || end.startsWith(`${key}/`) || key.startsWith(`${end}/`));

/** The end of a link that has no other link on that side. */
function besideLink(arrangement: Arrangement, link: ArrangedEdge): DropPosition {
  const { links, positions } = sceneOf(arrangement);
  const isOnly = (end: "from" | "to"): boolean =>
    links(positions.get(link[end]) ?? -1).filter((edge) => edge[end] === link[end]).length === 1;
  return isOnly("to") || !isOnly("from")
    ? { member: link.toName, side: "before" }
    : { member: link.fromName, side: "after" };
}

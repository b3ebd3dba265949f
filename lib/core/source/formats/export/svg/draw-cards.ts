import { type CardContent, describeModel } from "../../../../kinds/card-content";
import type { ArrangedNode } from "../../../../layout/arrange-flow";
import { toInitials } from "../../../../layout/scene/agent-initials";
import type { MemberRole } from "../../../../layout/scene/member-roles";
import type { Palette } from "./palettes";
import { type DrawParagraph, paragraph, rect, type SvgBox, text, widthOf } from "./svg-shapes";

export interface CardStyle {
  palette: Palette;
  role: MemberRole;
  isCompact: boolean;
  /** Of instructions. */
  drawParagraph: DrawParagraph;
}

export const colorOf = (number: number | undefined, { agents, muted }: Palette): string =>
  (number === undefined ? undefined : agents[number]) ?? muted;

type AgentContent = Extract<CardContent, { type: "agent-card" }>;

export function drawAgentCard(
  node: ArrangedNode,
  content: AgentContent,
  { palette, role, isCompact, drawParagraph }: CardStyle,
): string {
  const { x, y, width, name } = node;
  const color = colorOf(node.agentNumber, palette);
  const tile = rect({ x: x + 12, y: y + 11, width: 30, height: 30 }, `rx="6" fill="${color}"`);
  const initials = { x: x + 27, y: y + 30, width: 30, size: 12, weight: 600, fill: palette.onAgent } as const;
  const tools = isCompact || content.tools === "" ? [] : content.tools.split("\n");
  const lines = isCompact ? 2 : tools.length > 0 ? 3 : 5;
  const body = { x: x + 12, y: y + 64, width: width - 24, size: 12, line: 16, fill: palette.muted };
  return [
    "<g>",
    drawCardBox(node, { palette, role, color }),
    tile,
    text(toInitials(name), { ...initials, anchor: "middle", isCode: true }),
    drawTitle(node, describeModel(content.provider, content.model), palette),
    drawParagraph(content.instructions || "No instructions", lines, body),
    drawTools({ x: x + 12, y: y + 118, width: width - 24 }, tools, { more: content.moreTools, palette }),
    "</g>",
  ].join("");
}

interface BoxStyle {
  palette: Palette;
  role: MemberRole;
  color: string;
}

function drawCardBox(node: ArrangedNode, { palette, role, color }: BoxStyle): string {
  const isDashed = role === "spawned" || !node.placed || node.type === "unknown";
  const dash = isDashed ? ' stroke-dasharray="4 3"' : "";
  const stroke = role === "lead" ? `stroke="${color}" stroke-width="2"` : `stroke="${palette.line}"`;
  return rect(node, `rx="12" fill="${palette.card}" ${stroke}${dash}`);
}

/** Beside the tile: the name, and the model in code below it. */
function drawTitle({ x, y, width, name }: ArrangedNode, detail: string, palette: Palette): string {
  const room = { x: x + 52, width: width - 64 };
  return (
    text(name, { ...room, y: y + 25, size: 14, weight: 600, fill: palette.text }) +
    text(detail, { ...room, y: y + 40, size: 11, fill: palette.muted, isCode: true })
  );
}

function drawTools(
  { x, y, width }: Omit<SvgBox, "height">,
  tools: readonly string[],
  { more, palette }: { more: number; palette: Palette },
): string {
  let left = x;
  const chips: string[] = [];
  for (const tool of tools) {
    const room = x + width - left - (more > 0 ? 24 : 0);
    const chipWidth = Math.min(widthOf(tool, 11) * 1.06 + 10, room);
    if (chipWidth < 28) break;
    chips.push(rect({ x: left, y, width: chipWidth, height: 18 }, `rx="4" fill="${palette.chip}"`));
    const style = { x: left + 5, y: y + 13, width: chipWidth - 6, size: 11, fill: palette.text, isCode: true };
    chips.push(text(tool, style));
    left += chipWidth + 4;
  }
  if (more > 0) chips.push(text(`+${more}`, { x: left, y: y + 13, width: 24, size: 11, fill: palette.muted }));
  return chips.join("");
}

/** What is not declared, and a container that is not drawn as a frame. */
export function drawPlainCard(node: ArrangedNode, detail: string, palette: Palette): string {
  const { x, y, width } = node;
  const room = { x: x + 16, width: width - 28 };
  return [
    `<g>${drawCardBox(node, { palette, role: "none", color: palette.line })}`,
    text(node.name, { ...room, y: y + 26, size: 14, weight: 600, fill: palette.text }),
    paragraph(detail, 3, { ...room, y: y + 46, size: 11, line: 16, fill: palette.muted }),
    "</g>",
  ].join("");
}

const hexagonHeight = 92;
const hexagonPoint = 22;

/** An approval, in the middle of its place. */
export function drawHexagon(node: ArrangedNode, detail: string, { palette, word }: { palette: Palette; word: string }) {
  const { x, y, width, height, name } = node;
  const tall = Math.min(height, hexagonHeight);
  const middle = y + height / 2;
  const [top, bottom] = [middle - tall / 2 + 1, middle + tall / 2 - 1];
  const [left, right] = [x + hexagonPoint, x + width - hexagonPoint];
  const path = `M${x + 1} ${middle}L${left} ${top}H${right}L${x + width - 1} ${middle}L${right} ${bottom}H${left}Z`;
  const room = { x: x + 28, width: width - 56, size: 11 };
  const nameWidth = Math.min(widthOf(name, 11) * 1.08 + 1, room.width);
  return [
    `<g><path d="${path}" fill="${palette.card}" stroke="${palette.border}" stroke-width="1.5"/>`,
    text(name, { ...room, width: nameWidth, y: middle - 12, weight: 600, fill: palette.text }),
    text(word, {
      ...room,
      x: room.x + nameWidth + 5,
      width: room.width - nameWidth,
      y: middle - 12,
      fill: palette.muted,
    }),
    paragraph(detail, 2, { ...room, y: middle + 8, line: 16, fill: palette.muted }),
    "</g>",
  ].join("");
}

const leastColumns = 6;
const mostColumns = 24;

interface FoldedContent {
  word: string;
  /** The number of the colour of each agent. */
  numbers: readonly (number | undefined)[];
  isCompact: boolean;
}

/** A card on a stack of two; one block for each agent in it. */
export function drawFoldedCard(node: ArrangedNode, content: FoldedContent, palette: Palette): string {
  const { x, y, width, height, name } = node;
  const { word, numbers, isCompact } = content;
  const sheets = [8, 4, 0].map((offset) =>
    rect({ x: x + offset, y: y + offset, width, height }, `rx="12" fill="${palette.card}" stroke="${palette.border}"`),
  );
  const rows = isCompact ? 2 : 3;
  const columns = Math.min(mostColumns, Math.max(leastColumns, Math.ceil(numbers.length / rows)));
  const [step, side] = [(width - 24) / columns, isCompact ? 8 : 12];
  const blocks = numbers.slice(0, rows * columns).map((number, index) => {
    const box = { x: x + 12 + (index % columns) * step, y: y + 60 + Math.floor(index / columns) * (side + 4) };
    return rect({ ...box, width: step - 3, height: side }, `rx="2" fill="${colorOf(number, palette)}"`);
  });
  const count = `${numbers.length} agent${numbers.length === 1 ? "" : "s"}`;
  return [
    `<g>${sheets.join("")}`,
    text(name, { x: x + 12, y: y + 25, width: width - 90, size: 14, weight: 600, fill: palette.text }),
    text(count, { x: x + width - 12, y: y + 24, width: 70, size: 11, fill: palette.muted, anchor: "end" }),
    text(word, { x: x + 12, y: y + 42, width: width - 24, size: 11, fill: palette.muted }),
    ...blocks,
    "</g>",
  ].join("");
}

const roleWords: Partial<Record<MemberRole, string>> = { start: "Start", lead: "Lead" };

/** On the upper edge of the card that starts a handoff swarm, or leads a team or an orchestration. */
export function drawRoleFlag({ x, y }: ArrangedNode, role: MemberRole, palette: Palette): string {
  const word = roleWords[role];
  if (word === undefined) return "";
  const flag = rect(
    { x: x + 12, y: y - 11, width: widthOf(word, 11) + 18, height: 20 },
    `rx="10" fill="${palette.text}"`,
  );
  return flag + text(word, { x: x + 20, y: y + 3, width: 60, size: 11, weight: 600, fill: palette.card });
}

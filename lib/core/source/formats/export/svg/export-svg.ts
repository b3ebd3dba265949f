import { numberAgents } from "../../../../flow/agent-numbers";
import { emptyLayout } from "../../../../flow/edit";
import { type Flow, findDeclaration } from "../../../../flow/flow";
import { listNotes } from "../../../../flow/note";
import { kindOf } from "../../../../kinds/registry";
import { describeSwarmLimit } from "../../../../kinds/swarm";
import { type ArrangedNode, arrangeFlow } from "../../../../layout/arrange-flow";
import type { Arrangement } from "../../../../layout/arrangement";
import { chooseArrangement } from "../../../../layout/choose-arrangement";
import { listFoldedAgents } from "../../../../layout/folded-agents";
import { boundsOf } from "../../../../layout/scene/canvas-box";
import { isDownward } from "../../../../layout/scene/link-route";
import { rolesOf } from "../../../../layout/scene/member-roles";
import { sceneOf } from "../../../../layout/scene/scene";
import type { Exported, ExportOptions, ExportSource } from "../exported";
import { drawAgentCard, drawFoldedCard, drawHexagon, drawPlainCard, drawRoleFlag } from "./draw-cards";
import { drawDiamond, drawFrame, drawFrameLabels, type FrameContent } from "./draw-frames";
import { drawLinks, drawPorts } from "./draw-links";
import { drawNote } from "./draw-notes";
import { type Palette, palettes } from "./palettes";
import { escapeXml, rect, type SvgBox, text } from "./svg-shapes";

const margin = 32;
/** The view that a flow without positions made by hand is arranged for. */
const page = { width: 1600, height: 1000 };
const emptyBox = { x: 0, y: 0, width: 160, height: 40 };

/** The canvas as a picture: notes, frames, links, cards. Only text and shapes, nothing that could run or load. */
export function exportSvg(
  { flow, layout = emptyLayout }: ExportSource,
  { theme = "light", marks }: ExportOptions = {},
): Exported {
  // Nodes to point out must not be hidden in a folded card.
  const { folded: _, ...unfoldedLayout } = layout;
  const shownLayout = marks ? unfoldedLayout : layout;
  const arrangement = arrangeFlow(flow, shownLayout, chooseArrangement(flow, shownLayout, page));
  const palette = palettes[theme];
  const { nodes } = arrangement;
  const { zone, frame } = sceneOf(arrangement);
  const notes = listNotes(layout.notes);
  const links = drawLinks(arrangement, palette);
  const points = links.points.map((point) => ({ ...point, width: 0, height: 0 }));
  const bounds =
    boundsOf([...nodes, ...notes, ...points, ...(zone ? [zone] : []), ...(frame ? [frame] : [])]) ?? emptyBox;
  const view = {
    x: Math.floor(bounds.x) - margin,
    y: Math.floor(bounds.y) - margin,
    width: Math.ceil(bounds.width) + 2 * margin,
    height: Math.ceil(bounds.height) + 2 * margin,
  };
  const drawn = drawNodes(flow, arrangement, palette);
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="${view.x} ${view.y} ${view.width} ${view.height}" width="${view.width}" height="${view.height}" font-family="Inter, ui-sans-serif, system-ui, sans-serif">`,
    `<title>${escapeXml(flow.name)}</title>`,
    rect(view, `fill="${palette.canvas}"`),
    ...notes.map((note) => drawNote(note, palette)),
    zone ? drawZone(zone, palette) : "",
    ...drawn.frames,
    ...links.shapes,
    ...drawn.cards,
    ...drawn.ports,
    ...drawn.labels,
    ...(marks ? nodes.map((node) => drawMark(node, marks.get(node.name), palette)) : []),
    "</svg>",
  ];
  return { text: `${lines.filter((line) => line !== "").join("\n")}\n`, notes: [], losses: [] };
}

interface DrawnNodes {
  /** Below the links. */
  frames: string[];
  cards: string[];
  ports: string[];
  labels: string[];
}

function drawNodes(flow: Flow, arrangement: Arrangement, palette: Palette): DrawnNodes {
  const drawn: DrawnNodes = { frames: [], cards: [], ports: [], labels: [] };
  const roleOf = rolesOf(flow);
  const { frame } = sceneOf(arrangement);
  if (frame) {
    const { mode } = flow.swarm;
    const content = { type: mode, name: "", word: toWord(mode), condition: "", limit: describeSwarmLimit(flow.swarm) };
    drawn.frames.push(drawFrame(frame, content, palette));
    drawn.labels.push(drawFrameLabels(frame, content, palette));
  }
  for (const node of arrangement.nodes) {
    drawn.ports.push(drawPorts(node, isDownward(arrangement, node), palette));
    if (node.frame) drawFrameNode(node, { flow, arrangement, palette, drawn });
    else {
      drawn.cards.push(drawCard(node, { flow, arrangement, palette, role: roleOf(node) }));
      drawn.labels.push(drawRoleFlag(node, roleOf(node), palette));
    }
  }
  return drawn;
}

interface NodeContext {
  flow: Flow;
  arrangement: Arrangement;
  palette: Palette;
}

function drawFrameNode(node: ArrangedNode, { flow, arrangement, palette, drawn }: NodeContext & { drawn: DrawnNodes }) {
  const declaration = findDeclaration(flow, node.name);
  const card = declaration && kindOf(declaration).card(declaration);
  if (card?.type !== "frame") return;
  const { condition = "", limit = "" } = card;
  const content: FrameContent = { type: node.mode ?? node.type, name: node.name, word: wordOf(node), condition, limit };
  if (card.shape === "diamond") {
    const down = arrangement.direction === "down";
    drawn.cards.push(drawDiamond(node, content, { palette, down }));
    return;
  }
  drawn.frames.push(drawFrame(node, content, palette));
  drawn.labels.push(drawFrameLabels(node, content, palette));
}

function drawCard(
  node: ArrangedNode,
  { flow, arrangement, palette, role }: NodeContext & { role: ReturnType<ReturnType<typeof rolesOf>> },
): string {
  const declaration = findDeclaration(flow, node.name);
  if (!declaration) return drawPlainCard(node, "not declared", palette);
  const isCompact = arrangement.density === "compact";
  if (node.folded) {
    const numbers = numberAgents(flow);
    const agents = listFoldedAgents(flow, node).map(({ name }) => numbers.get(name));
    return drawFoldedCard(node, { word: wordOf(node), numbers: agents, isCompact }, palette);
  }
  const card = kindOf(declaration).card(declaration);
  if (card.type === "agent-card") return drawAgentCard(node, card, { palette, role, isCompact });
  if (card.shape === "hexagon") return drawHexagon(node, card.detail, { palette, word: wordOf(node) });
  return drawPlainCard(node, card.detail === "" ? wordOf(node) : `${wordOf(node)}: ${card.detail}`, palette);
}

const toWord = (type: string): string =>
  type === "workflow" ? "Swarm" : type.slice(0, 1).toUpperCase() + type.slice(1);
const wordOf = ({ mode, type }: ArrangedNode): string => toWord(mode ?? type);

function drawZone(zone: SvgBox, palette: Palette): string {
  const words = { x: zone.x + 16, y: zone.y + 20, width: zone.width - 32, size: 11, weight: 600, fill: palette.muted };
  const box = rect(zone, `rx="12" fill="none" stroke="${palette.border}" stroke-dasharray="4 3"`);
  return `<g>${box}${text("Not in the flow yet", words)}</g>`;
}

/** An outline around a node, and a word below its lower right corner. */
function drawMark(node: ArrangedNode, word: string | undefined, palette: Palette): string {
  if (word === undefined) return "";
  const { x, y, width, height } = node;
  const outline = rect(
    { x: x - 4, y: y - 4, width: width + 8, height: height + 8 },
    `rx="16" fill="none" stroke="${palette.mark}" stroke-width="3"`,
  );
  const label = { x, y: y + height + 20, width, size: 14, weight: 600, fill: palette.mark };
  return `<g>${outline}${text(word, label)}</g>`;
}

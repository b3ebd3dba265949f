import { numberAgents } from "../../../../flow/agent-numbers";
import { type Flow, findDeclaration } from "../../../../flow/flow";
import type { Note } from "../../../../flow/note";
import { kindOf } from "../../../../kinds/registry";
import { describeSwarmLimit } from "../../../../kinds/swarm";
import type { ArrangedNode, Arrangement } from "../../../../layout/arrangement";
import { listFoldedAgents } from "../../../../layout/folded-agents";
import type { CanvasBox } from "../../../../layout/scene/canvas-box";
import { isDownward } from "../../../../layout/scene/link-route";
import { rolesOf } from "../../../../layout/scene/member-roles";
import { sceneOf } from "../../../../layout/scene/scene";
import { drawAgentCard, drawFoldedCard, drawHexagon, drawPlainCard, drawRoleFlag } from "./draw-cards";
import { drawDiamond, drawFrame, drawFrameLabels, type FrameContent } from "./draw-frames";
import { drawLinks, drawPorts } from "./draw-links";
import { drawNote } from "./draw-notes";
import type { Palette } from "./palettes";
import { type DrawParagraph, paragraph, rect, type SvgBox, text } from "./svg-shapes";

interface DrawnContent {
  flow: Flow;
  arrangement: Arrangement;
  notes: readonly Note[];
  palette: Palette;
  /** Of the instructions of agents, where something else than the reader of an SVG shows them. */
  drawParagraph?: DrawParagraph;
}

/** What the canvas shows, as shapes of an SVG in canvas pixels, and the boxes that they reach: notes, frames, links, cards. */
export function drawCanvas({ flow, arrangement, notes, palette, drawParagraph = paragraph }: DrawnContent): {
  shapes: string[];
  reach: CanvasBox[];
} {
  const { zone, frame } = sceneOf(arrangement);
  const links = drawLinks(arrangement, palette);
  const points = links.points.map((point) => ({ ...point, width: 0, height: 0 }));
  const drawn = drawNodes({ flow, arrangement, palette, drawParagraph });
  const shapes = [
    ...notes.map((note) => drawNote(note, palette)),
    zone ? drawZone(zone, palette) : "",
    ...drawn.frames,
    ...links.shapes,
    ...drawn.cards,
    ...drawn.ports,
    ...drawn.labels,
  ];
  return {
    shapes: shapes.filter((shape) => shape !== ""),
    reach: [...arrangement.nodes, ...notes, ...points, ...(zone ? [zone] : []), ...(frame ? [frame] : [])],
  };
}

interface DrawnNodes {
  /** Below the links. */
  frames: string[];
  cards: string[];
  ports: string[];
  labels: string[];
}

function drawNodes(context: NodeContext): DrawnNodes {
  const { flow, arrangement, palette } = context;
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
    if (node.frame) drawFrameNode(node, { ...context, drawn });
    else {
      drawn.cards.push(drawCard(node, { ...context, role: roleOf(node) }));
      drawn.labels.push(drawRoleFlag(node, roleOf(node), palette));
    }
  }
  return drawn;
}

type NodeContext = Required<Omit<DrawnContent, "notes">>;

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
  { flow, arrangement, palette, drawParagraph, role }: NodeContext & { role: ReturnType<ReturnType<typeof rolesOf>> },
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
  if (card.type === "agent-card") return drawAgentCard(node, card, { palette, role, isCompact, drawParagraph });
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

import { agentColorCount } from "@/lib/core/flow/agent-numbers";
import type { Layout } from "@/lib/core/flow/edit";
import type { Flow } from "@/lib/core/flow/flow";
import { listNotes } from "@/lib/core/flow/note";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { chooseArrangement } from "@/lib/core/layout/choose-arrangement";
import { countNodes } from "@/lib/core/layout/count-nodes";
import { type CanvasBox, toVisibleBox } from "@/lib/core/layout/scene/canvas-box";
import { type Scene, sceneOf } from "@/lib/core/layout/scene/scene";
import { drawCanvas } from "@/lib/core/source/formats/export/svg/draw-canvas";
import type { Palette } from "@/lib/core/source/formats/export/svg/palettes";
import { type DrawParagraph, escapeXml } from "@/lib/core/source/formats/export/svg/svg-shapes";
import { chooseDetailLevel } from "../scene/detail-level";
import { boundsOfAll } from "../scene/notes";
import type { ViewArea } from "../state/flow-state";
import { leastZoomOf, toFreeArea, toOpeningViewport } from "../surface/opening-view";

/** The tokens of the app, so that the theme needs no second picture. */
const palette: Palette = {
  canvas: "var(--canvas)",
  card: "var(--surface-raised)",
  frame: "var(--frame-fill)",
  line: "var(--line-strong)",
  border: "var(--frame)",
  chip: "var(--surface-hover)",
  onAgent: "var(--on-agent)",
  edge: "var(--link)",
  text: "var(--text)",
  muted: "var(--text-muted)",
  danger: "var(--danger)",
  mark: "var(--accent)",
  agents: Array.from({ length: agentColorCount }, (_, number) => `var(--agent-${number})`),
  notes: {
    yellow: "var(--note-yellow)",
    green: "var(--note-green)",
    blue: "var(--note-blue)",
    pink: "var(--note-pink)",
    grey: "var(--note-grey)",
  },
};

/** Of the canvas in a usual window, in CSS pixels. */
export const usualViewSize: ViewArea = { width: 1111, height: 770 };

export interface FirstPictureDrawing {
  /** In canvas pixels: what a view of the given size shows. */
  view: CanvasBox;
  /** Shapes of an SVG; texts in them are escaped. */
  shapes: string;
}

/** More nodes than this are drawn as blocks: their texts would delay the page more than they help. */
const mostDetailed = 60;
const mostNodes = 2500;

/** The flow as its canvas opens it in a view of this size. Null: there is nothing to draw, or too much. */
export function drawFirstPicture(flow: Flow, layout: Layout, size: ViewArea): FirstPictureDrawing | null {
  if (countNodes(flow, layout, mostNodes) > mostNodes) return null;
  const arrangement = arrangeFlow(flow, layout, chooseArrangement(flow, layout, toFreeArea(size)));
  const bounds = boundsOfAll({ arrangement, layout });
  if (!bounds) return null;
  const area = { ...size, minZoom: leastZoomOf(bounds) };
  const view = toVisibleBox(toOpeningViewport(bounds, area, arrangement), size.width, size.height);
  const isDetailed = arrangement.nodes.length <= mostDetailed;
  const notes = listNotes(layout.notes);
  const shapes = isDetailed
    ? drawCanvas({ flow, arrangement, notes, palette, drawParagraph }).shapes
    : drawBlocks(sceneOf(arrangement), view);
  return { view, shapes: shapes.join("") };
}

/** As HTML, where browsers break the lines as they do on a card: then they count it as the content that the page shows first. */
const drawParagraph: DrawParagraph = (content, most, { x, y, width, line }) => {
  // From the baseline in an SVG to the box of a text on a card, which has a border. One line more: the text cuts itself.
  const box = `x="${x + 1}" y="${y - 11.5}" width="${width - 2}" height="${(most + 1) * line}"`;
  return `<foreignObject ${box}><p class="picture-text" style="--lines:${most}">${escapeXml(content)}</p></foreignObject>`;
};

/** Without texts and links. Where the canvas shows cards, they are blank; in its overview they have the colours of their agents. */
function drawBlocks(scene: Scene, view: CanvasBox): string[] {
  const isOverview = chooseDetailLevel(scene, view, null).type === "overview";
  const frames: string[] = [];
  const cards = new Map<string, string[]>();
  scene.nodes.forEach((node, position) => {
    const path = toPath(node);
    if (node.frame) frames.push(path);
    else {
      const color = isOverview ? (palette.agents[scene.colors[position] ?? -1] ?? palette.muted) : palette.card;
      const paths = cards.get(color);
      if (paths) paths.push(path);
      else cards.set(color, [path]);
    }
  });
  const line = (color: string): string => `stroke="${color}" vector-effect="non-scaling-stroke"`;
  const frameStyle = `fill="${palette.frame}" fill-opacity="0.55" ${line(palette.border)}`;
  return [
    ...frames.map((path) => `<path d="${path}" ${frameStyle}/>`),
    ...Array.from(
      cards,
      ([color, paths]) => `<path d="${paths.join("")}" fill="${color}" ${isOverview ? "" : line(palette.line)}/>`,
    ),
  ];
}

const toPath = (box: CanvasBox): string => {
  const [x, y, width, height] = [box.x, box.y, box.width, box.height].map(Math.round);
  return `M${x} ${y}h${width}v${height}h-${width}z`;
};

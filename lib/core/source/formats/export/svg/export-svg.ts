import { emptyLayout, type Layout } from "../../../../flow/edit";
import type { Flow } from "../../../../flow/flow";
import { listNotes } from "../../../../flow/note";
import { type ArrangedNode, arrangeFlow } from "../../../../layout/arrange-flow";
import type { Arrangement, ArrangeOptions } from "../../../../layout/arrangement";
import { chooseArrangement, isMadeByHand } from "../../../../layout/choose-arrangement";
import { boundsOf, type CanvasBox } from "../../../../layout/scene/canvas-box";
import { diffFlows } from "../../../query/diff-flows";
import type { Exported, ExportOptions, ExportSource } from "../exported";
import { drawCanvas } from "./draw-canvas";
import { drawChanges } from "./draw-changes";
import { type Palette, palettes } from "./palettes";
import { escapeXml, rect, text } from "./svg-shapes";

const margin = 32;
/** The view that a flow without positions made by hand is arranged for, unless the picture has a known size. */
const page = { width: 1600, height: 1000 };
const emptyBox = { x: 0, y: 0, width: 160, height: 40 };

/** The canvas as a picture: notes, frames, links, cards. Only text and shapes, nothing that could run or load. */
export function exportSvg(source: ExportSource, options: ExportOptions = {}): Exported {
  const [svg = ""] = drawSvgs([source], options);
  return { text: svg, notes: [], losses: [] };
}

/** Pictures to compare, in which a card has one size: all are as large as the largest needs, and have cards of one density. */
export function drawSvgs(sources: readonly ExportSource[], options: ExportOptions = {}): string[] {
  const pictures = arrangeAlike(sources, options).map((arranged) => drawPicture(arranged, options));
  const width = Math.max(...pictures.map(({ box }) => box.width));
  const height = Math.max(...pictures.map(({ box }) => box.height));
  return pictures.map((picture) => printSvg(picture, { width, height }, palettes[options.theme ?? "light"]));
}

/**
 * One picture of two flows: the newer one, with what was added, changed and renamed marked in it, and what was removed below
 * and as dashed links. Each mark has a colour, a sign and a word.
 */
export function drawOverlay(before: ExportSource, after: ExportSource, options: ExportOptions = {}): string {
  const palette = palettes[options.theme ?? "light"];
  const diff = diffFlows(before.flow, after.flow);
  const [old, current] = [before, after].map(({ flow, layout = emptyLayout }): ArrangedSource => {
    const { folded: _, ...unfolded } = layout;
    return {
      flow,
      layout: unfolded,
      arrangement: arrangeFlow(flow, unfolded, chooseArrangement(flow, unfolded, options.view ?? page)),
    };
  });
  if (!old || !current) return "";
  const { shapes, reach } = drawCanvas({ ...current, notes: listNotes(current.layout.notes), palette });
  const bounds = boundsOf(reach) ?? emptyBox;
  const overlay = drawChanges({ before: old.arrangement, after: current.arrangement, diff, bounds, palette });
  const box = toPictureBox(boundsOf([bounds, ...overlay.reach]) ?? bounds);
  return printSvg({ title: after.flow.name, box, lines: [...shapes, ...overlay.shapes] }, box, palette);
}

interface ArrangedSource {
  flow: Flow;
  layout: Layout;
  arrangement: Arrangement;
}

/** Positions made by hand keep their density. */
function arrangeAlike(sources: readonly ExportSource[], { marks, view = page }: ExportOptions): ArrangedSource[] {
  const chosen = sources.map(({ flow, layout = emptyLayout }) => {
    // Nodes to point out must not be hidden in a folded card.
    const { folded: _, ...unfoldedLayout } = layout;
    const shownLayout = marks ? unfoldedLayout : layout;
    return { flow, layout: shownLayout, arrange: chooseArrangement(flow, shownLayout, view) };
  });
  const isCompact = chosen.some(({ arrange }) => arrange.density === "compact");
  return chosen.map(({ flow, layout, arrange }) => {
    const isFree = isCompact && !isMadeByHand(layout);
    const shown: ArrangeOptions = isFree ? { ...arrange, density: "compact" } : arrange;
    return { flow, layout, arrangement: arrangeFlow(flow, layout, shown) };
  });
}

interface SvgPicture {
  title: string;
  /** What is drawn, with its margin. */
  box: CanvasBox;
  lines: readonly string[];
}

function drawPicture(source: ArrangedSource, { theme = "light", marks, agentNumbers }: ExportOptions): SvgPicture {
  const { flow, layout } = source;
  const arrangement = agentNumbers ? withAgentNumbers(source.arrangement, agentNumbers) : source.arrangement;
  const palette = palettes[theme];
  const { shapes, reach } = drawCanvas({ flow, arrangement, notes: listNotes(layout.notes), palette });
  const box = toPictureBox(boundsOf(reach) ?? emptyBox);
  const outlines = marks ? arrangement.nodes.map((node) => drawMark(node, marks.get(node.name), palette)) : [];
  return { title: flow.name, box, lines: [...shapes, ...outlines] };
}

const toPictureBox = ({ x, y, width, height }: CanvasBox): CanvasBox => ({
  x: Math.floor(x) - margin,
  y: Math.floor(y) - margin,
  width: Math.ceil(width) + 2 * margin,
  height: Math.ceil(height) + 2 * margin,
});

/** What is drawn begins at the upper left, so that cards which did not move are at one place in pictures to compare. */
function printSvg(
  { title, box, lines }: SvgPicture,
  { width, height }: Pick<CanvasBox, "width" | "height">,
  { canvas }: Palette,
): string {
  const { x, y } = box;
  const printed = [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="${x} ${y} ${width} ${height}" width="${width}" height="${height}" font-family="'Inter Variable', Inter, ui-sans-serif, system-ui, sans-serif">`,
    `<title>${escapeXml(title)}</title>`,
    rect({ x, y, width, height }, `fill="${canvas}"`),
    ...lines,
    "</svg>",
  ];
  return `${printed.filter((line) => line !== "").join("\n")}\n`;
}

const withAgentNumbers = (arrangement: Arrangement, numbers: ReadonlyMap<string, number>): Arrangement => ({
  ...arrangement,
  nodes: arrangement.nodes.map((node) => {
    const agentNumber = node.agentNumber === undefined ? undefined : numbers.get(node.name);
    return agentNumber === undefined ? node : { ...node, agentNumber };
  }),
});

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

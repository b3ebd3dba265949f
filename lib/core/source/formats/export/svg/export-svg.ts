import { emptyLayout } from "../../../../flow/edit";
import { listNotes } from "../../../../flow/note";
import { type ArrangedNode, arrangeFlow } from "../../../../layout/arrange-flow";
import type { Arrangement } from "../../../../layout/arrangement";
import { chooseArrangement } from "../../../../layout/choose-arrangement";
import { boundsOf } from "../../../../layout/scene/canvas-box";
import type { Exported, ExportOptions, ExportSource } from "../exported";
import { drawCanvas } from "./draw-canvas";
import { type Palette, palettes } from "./palettes";
import { escapeXml, rect, text } from "./svg-shapes";

const margin = 32;
/** The view that a flow without positions made by hand is arranged for, unless the picture has a known size. */
const page = { width: 1600, height: 1000 };
const emptyBox = { x: 0, y: 0, width: 160, height: 40 };

/** The canvas as a picture: notes, frames, links, cards. Only text and shapes, nothing that could run or load. */
export function exportSvg(
  { flow, layout = emptyLayout }: ExportSource,
  { theme = "light", marks, agentNumbers, view: shownSize = page }: ExportOptions = {},
): Exported {
  // Nodes to point out must not be hidden in a folded card.
  const { folded: _, ...unfoldedLayout } = layout;
  const shownLayout = marks ? unfoldedLayout : layout;
  const arranged = arrangeFlow(flow, shownLayout, chooseArrangement(flow, shownLayout, shownSize));
  const arrangement = agentNumbers ? withAgentNumbers(arranged, agentNumbers) : arranged;
  const palette = palettes[theme];
  const { nodes } = arrangement;
  const { shapes, reach } = drawCanvas({ flow, arrangement, notes: listNotes(layout.notes), palette });
  const bounds = boundsOf(reach) ?? emptyBox;
  const view = {
    x: Math.floor(bounds.x) - margin,
    y: Math.floor(bounds.y) - margin,
    width: Math.ceil(bounds.width) + 2 * margin,
    height: Math.ceil(bounds.height) + 2 * margin,
  };
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="${view.x} ${view.y} ${view.width} ${view.height}" width="${view.width}" height="${view.height}" font-family="'Inter Variable', Inter, ui-sans-serif, system-ui, sans-serif">`,
    `<title>${escapeXml(flow.name)}</title>`,
    rect(view, `fill="${palette.canvas}"`),
    ...shapes,
    ...(marks ? nodes.map((node) => drawMark(node, marks.get(node.name), palette)) : []),
    "</svg>",
  ];
  return { text: `${lines.filter((line) => line !== "").join("\n")}\n`, notes: [], losses: [] };
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

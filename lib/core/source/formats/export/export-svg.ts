import { emptyLayout } from "../../../flow/edit";
import type { Flow } from "../../../flow/flow";
import { hashText } from "../../../flow/hash-text";
import { listNotes, type Note } from "../../../flow/note";
import { type ArrangedEdge, type ArrangedNode, arrangeFlow } from "../../../layout/arrange-flow";
import { frameInset } from "../../../layout/arrangement";
import type { Exported, ExportOptions, ExportSource } from "./exported";

/** The colours of the app's canvas, for pictures that leave it. */
const palettes = {
  light: {
    canvas: "#f6f7f9",
    card: "#ffffff",
    frame: "#eef0f4",
    line: "#c6ccd5",
    edge: "#98a1ae",
    text: "#16191f",
    muted: "#5a6371",
    danger: "#c22d2d",
    agents: ["#3b5bdb", "#0b7a75", "#a8480f", "#8a3ab9", "#1c7c3c", "#b0225c", "#5b6b00", "#0b6fa8"],
    notes: { yellow: "#fff3bf", green: "#d8f5e0", blue: "#dbe9ff", pink: "#ffe0ec", grey: "#e6e9ee" },
  },
  dark: {
    canvas: "#0e1014",
    card: "#1a1e25",
    frame: "#171b21",
    line: "#3b424f",
    edge: "#6b7482",
    text: "#e8eaee",
    muted: "#a2abb8",
    danger: "#ff8080",
    agents: ["#91a7ff", "#4fd1c5", "#ffa36b", "#d0a2f7", "#69db7c", "#f783ac", "#c0ca55", "#66c0f4"],
    notes: { yellow: "#3d3310", green: "#14361f", blue: "#1a2c4d", pink: "#44182c", grey: "#262b34" },
  },
} as const;
type Palette = (typeof palettes)[keyof typeof palettes];

const margin = 32;

/** The canvas as a picture: notes, frames, links, cards. Only text and shapes, nothing that could run or load. */
export function exportSvg({ flow, layout }: ExportSource, { theme = "light" }: ExportOptions = {}): Exported {
  const { nodes, edges, direction } = arrangeFlow(flow, layout ?? emptyLayout);
  const palette = palettes[theme];
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const papers = listNotes(layout?.notes);
  const boxes: readonly SvgBox[] = [...nodes, ...papers];
  const [minX, minY] = [least(boxes, "x") - margin, least(boxes, "y") - margin];
  const width = boxes.reduce((most, box) => Math.max(most, box.x + box.width), 160) + margin - minX;
  const height = boxes.reduce((most, box) => Math.max(most, box.y + box.height), 40) + margin - minY;
  const frames = nodes.filter(({ frame }) => frame);
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="${minX} ${minY} ${width} ${height}" width="${width}" height="${height}" font-family="Inter, ui-sans-serif, system-ui, sans-serif">`,
    `<title>${escapeXml(flow.name)}</title>`,
    rect({ x: minX, y: minY, width, height }, `fill="${palette.canvas}"`),
    ...papers.map((note) => drawNote(note, palette)),
    ...frames.map((node) => drawFrame(node, flow, palette)),
    ...edges.map((edge) => drawEdge(edge, byKey, palette, direction === "down")),
    ...nodes.filter(({ frame }) => !frame).map((node) => drawCard(node, flow, palette)),
    ...nodes.map((node) => drawLane(node, palette)),
    "</svg>",
  ];
  return { text: `${lines.filter((line) => line !== "").join("\n")}\n`, notes: [], losses: [] };
}

const least = (boxes: readonly SvgBox[], side: "x" | "y"): number =>
  boxes.reduce((smallest, box) => Math.min(smallest, box[side]), boxes.length > 0 ? Number.POSITIVE_INFINITY : 0);

const colorOf = (name: string, { agents }: Palette): string => agents[hashText(name) % agents.length] ?? agents[0];

/** The text layout of a note, as on the canvas. */
const noteText = { side: 12, top: 10, size: 12, line: 18 } as const;

function drawNote(note: Note, palette: Palette): string {
  const { side, top, size, line } = noteText;
  const rows = Math.max(1, Math.floor((note.height - 2 * top) / line));
  const lines = wrapWords(note.text, note.width - 2 * side, size);
  const visibleLines = lines.length > rows ? [...lines.slice(0, rows - 1), `${lines[rows - 1]} …`] : lines;
  const style = { x: note.x + side, width: note.width - side, size, fill: palette.text };
  const drawn = visibleLines.map((visibleLine, index) =>
    text(visibleLine, { ...style, y: note.y + top + 13 + index * line }),
  );
  const paper = rect(note, `rx="4" fill="${palette.notes[note.color]}" stroke="${palette.line}"`);
  return `<g>${paper}${drawn.join("")}</g>`;
}

/** A text in lines that are at most so wide. */
function wrapWords(words: string, width: number, size: number): string[] {
  return words.split(/\r?\n/).flatMap((paragraph) => {
    const lines: string[] = [];
    let line = "";
    for (const word of paragraph.split(" ")) {
      const longer = line === "" ? word : `${line} ${word}`;
      if (line !== "" && widthOf(longer, size) > width) {
        lines.push(line);
        line = word;
      } else line = longer;
    }
    return [...lines, line];
  });
}

function drawFrame(node: ArrangedNode, flow: Flow, palette: Palette): string {
  const { x, y, width, name } = node;
  const dashes = node.mode === "parallel" ? ' stroke-dasharray="6 4"' : "";
  const stroke = node.type === "swarm" ? 2.5 : 1;
  const used = Math.min(widthOf(name, 12), width * 0.6);
  const sortStyle = { y: y + 24, width: width - used - frameInset.side * 2, size: 11, fill: palette.muted };
  const frame = `rx="12" fill="${palette.frame}" fill-opacity="0.6" stroke="${palette.line}" stroke-width="${stroke}"${dashes}`;
  return [
    `<g>${rect(node, frame)}`,
    text(name, { x: x + 14, y: y + 24, width: width * 0.6, size: 12, weight: 600, fill: palette.text }),
    text(describe(node, flow), { ...sortStyle, x: x + 22 + used }),
    "</g>",
  ].join("");
}

function drawCard(node: ArrangedNode, flow: Flow, palette: Palette): string {
  const { x, y, width, height, name } = node;
  const dashes = node.placed && node.type !== "unknown" ? "" : ' stroke-dasharray="4 3"';
  const tools = flow.agents.get(name)?.tools.join(", ") ?? "";
  const room = { x: x + 16, width: width - 28 };
  return [
    `<g>${rect(node, `rx="8" fill="${palette.card}" stroke="${palette.line}"${dashes}`)}`,
    rect({ x, y: y + 8, width: 3, height: height - 16 }, `rx="1.5" fill="${colorOf(name, palette)}"`),
    text(name, { ...room, y: y + 26, size: 13, weight: 600, fill: palette.text }),
    text(describe(node, flow), { ...room, y: y + 46, size: 11, fill: palette.muted }),
    text(tools, { ...room, y: y + 66, size: 10, fill: palette.muted }),
    "</g>",
  ].join("");
}

/** What a card or frame is, in a few words. */
function describe({ type, name, mode }: ArrangedNode, flow: Flow): string {
  if (type === "agent") return flow.agents.get(name)?.model ?? "no model";
  if (type === "group") return mode === "serial" ? "Serial group" : "Parallel group";
  if (type === "swarm") return mode === "workflow" ? "Swarm" : `Swarm, ${mode}`;
  if (type === "unknown") return "not declared";
  return type.slice(0, 1).toUpperCase() + type.slice(1);
}

const drawLane = ({ lane = "", x, y }: ArrangedNode, palette: Palette): string =>
  text(lane, { x: x + 4, y: y - 5, width: 180, size: 10, fill: palette.muted });

/** From the right end of one node to the left end of the other; between nodes above each other a straight line. */
function drawEdge(
  { from: source, to: target, type }: ArrangedEdge,
  nodes: ReadonlyMap<string, ArrangedNode>,
  palette: Palette,
  runsDown: boolean,
): string {
  const [a, b] = [nodes.get(source), nodes.get(target)];
  if (!a || !b) return "";
  const isAbove = a.x < b.x + b.width && b.x < a.x + a.width;
  const side = type === "flow" && runsDown ? 0 : 14;
  const { line, head } = isAbove || side === 0 ? drawUpright(a, b, side) : drawAcross(a, b);
  const color = type === "draft" ? palette.danger : palette.edge;
  const dashes = type === "flow" ? "" : ' stroke-dasharray="5 4"';
  return `<path d="${line}" fill="none" stroke="${color}" stroke-width="1.5"${dashes}/><path d="${head}" fill="${color}"/>`;
}

type SvgBox = Pick<ArrangedNode, "x" | "y" | "width" | "height">;

const rect = ({ x, y, width, height }: SvgBox, attributes: string): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" ${attributes}/>`;

function drawAcross(a: SvgBox, b: SvgBox): { line: string; head: string } {
  const [x1, y1, x2, y2] = [a.x + a.width, a.y + a.height / 2, b.x, b.y + b.height / 2];
  const bend = Math.max(24, Math.abs(x2 - x1) / 2);
  return {
    line: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2 - 6} ${y2}`,
    head: `M${x2 - 8} ${y2 - 4}L${x2 - 1} ${y2}L${x2 - 8} ${y2 + 4}Z`,
  };
}

/** Down `side` pixels left of the middle, up as far right of it: links there and back stay apart. */
function drawUpright(a: SvgBox, b: SvgBox, side: number): { line: string; head: string } {
  const down = a.y < b.y;
  const step = down ? 1 : -1;
  const [x1, x2] = [a.x + a.width / 2 - step * side, b.x + b.width / 2 - step * side];
  const [y1, y2] = down ? [a.y + a.height, b.y] : [a.y, b.y + b.height];
  return {
    line: `M${x1} ${y1}L${x2} ${y2 - step * 6}`,
    head: `M${x2 - 4} ${y2 - step * 8}L${x2} ${y2 - step}L${x2 + 4} ${y2 - step * 8}Z`,
  };
}

interface SvgTextStyle {
  x: number;
  y: number;
  width: number;
  size: number;
  weight?: number;
  fill: string;
}

function text(content: string, { x, y, width, size, weight = 400, fill }: SvgTextStyle): string {
  const clipped = clipToWidth(content, width, size);
  if (clipped === "") return "";
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}">${escapeXml(clipped)}</text>`;
}

/** About how wide a character is, in parts of the font size: there is nothing to measure with here. */
const widthOfSign = (sign: string): number =>
  /[\u1100-\u11ff\u2e80-\uffdc]|\p{Emoji_Presentation}/u.test(sign) ? 1.05 : /[A-Zmw@%]/.test(sign) ? 0.74 : 0.57;

const widthOf = (content: string, size: number): number =>
  [...content].reduce((sum, sign) => sum + widthOfSign(sign) * size, 0);

/** At most `width` pixels of a text. */
function clipToWidth(content: string, width: number, size: number): string {
  let used = 0;
  let clipped = "";
  for (const sign of content.slice(0, 400)) {
    used += widthOfSign(sign) * size;
    if (used > width) return `${clipped.trimEnd().slice(0, -1)}…`;
    clipped += sign;
  }
  return clipped;
}

const entities = new Map(Object.entries({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }));

/** Without what XML cannot hold: control characters and halves of surrogate pairs. */
const escapeXml = (content: string): string =>
  content.replaceAll(/[&<>"']/g, (sign) => entities.get(sign) ?? sign).replaceAll(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, " ");

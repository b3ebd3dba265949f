import { diamondBoxOf } from "../../../../layout/arrangement";
import type { Palette } from "./palettes";
import { paragraph, rect, type SvgBox, text, widthOf } from "./svg-shapes";

export interface FrameContent {
  /** The mode of a group or swarm, otherwise the kind. */
  type: string;
  name: string;
  /** Its kind in a word. */
  word: string;
  condition: string;
  limit: string;
}

const dashedTypes: ReadonlySet<string> = new Set(["parallel", "orchestrate"]);
const roundTypes: ReadonlySet<string> = new Set(["team", "orchestrate", "loop"]);

/** With the condition at its foot. */
export function drawFrame(box: SvgBox, { type, condition }: FrameContent, palette: Palette): string {
  const { x, y, width, height } = box;
  const dash = dashedTypes.has(type) ? ' stroke-dasharray="6 4"' : "";
  const radius = roundTypes.has(type) ? 22 : 16;
  const line = `rx="${radius}" fill="${palette.frame}" fill-opacity="0.55" stroke="${palette.border}" stroke-width="1.5"${dash}`;
  const foot = { x: x + 20, y: y + height - 18, width: width - 40, size: 11, fill: palette.text, isCode: true };
  return `<g>${rect(box, line)}${text(condition, foot)}</g>`;
}

/** On the upper edge of a frame: its name and kind, and its limit at the other end. */
export function drawFrameLabels({ x, y, width }: SvgBox, content: FrameContent, palette: Palette): string {
  const { name, word, limit } = content;
  const limitWidth = limit === "" ? 0 : widthOf(limit, 11) + 22;
  const limitBox = { x: x + width - 8 - limitWidth, y: y - 12, width: limitWidth };
  const room = width - 16 - (limit === "" ? 0 : limitWidth + 4);
  const nameBox = { x: x + 8, y: y - 12, width: Math.min(room, toPillWidth(name, word)) };
  return drawNamePill(nameBox, { name, word }, palette) + (limit === "" ? "" : drawPill(limitBox, limit, palette));
}

type PillBox = Omit<SvgBox, "height">;

/** Bold letters are wider. */
const boldWidthOf = (name: string): number => widthOf(name, 11) * 1.08;
const toPillWidth = (name: string, word: string): number => boldWidthOf(name) + widthOf(word, 11) + 28;

function drawPill(box: PillBox, words: string, palette: Palette): string {
  const line = `rx="12" fill="${palette.card}" stroke="${palette.border}" stroke-width="1.5"`;
  const style = { x: box.x + 11, y: box.y + 16, width: box.width - 14, size: 11, fill: palette.muted };
  return rect({ ...box, height: 24 }, line) + text(words, style);
}

/** In a narrow pill the name comes first. */
function drawNamePill(box: PillBox, { name, word }: Pick<FrameContent, "name" | "word">, palette: Palette): string {
  const nameWidth = Math.min(boldWidthOf(name) + 1, box.width - 20);
  const style = { x: box.x + 11, y: box.y + 16, size: 11 };
  const title = text(name, { ...style, width: nameWidth, weight: 600, fill: palette.text });
  const start = name === "" ? 0 : nameWidth + 5;
  const kind = { ...style, x: style.x + start, width: box.width - 14 - start, fill: palette.muted };
  return `<g>${drawPill(box, "", palette)}${title}${text(word, kind)}</g>`;
}

/** A branch or router: its lanes begin at the point of the diamond. */
export function drawDiamond(frame: SvgBox, content: FrameContent, style: { palette: Palette; down: boolean }): string {
  const { palette, down } = style;
  const { x: left, y: top, width, height } = diamondBoxOf(frame, down);
  const [middleX, middleY] = [left + width / 2, top + height / 2];
  const shape = `<path d="M${left + 1} ${middleY}L${middleX} ${top + 1}L${left + width - 1} ${middleY}L${middleX} ${top + height - 1}Z" fill="${palette.card}" stroke="${palette.border}" stroke-width="1.5"/>`;
  const condition = paragraph(content.condition, 3, {
    x: middleX,
    y: middleY,
    width: width * 0.58,
    size: 11,
    fill: palette.text,
    anchor: "middle",
    isCode: true,
    line: 15,
  });
  const pill = { x: down ? left + width * 0.62 : left, y: down ? top - 20 : top - 28 };
  const pillWidth = Math.min(200, toPillWidth(content.name, content.word));
  return `<g>${shape}${condition}${drawNamePill({ ...pill, width: pillWidth }, content, palette)}</g>`;
}

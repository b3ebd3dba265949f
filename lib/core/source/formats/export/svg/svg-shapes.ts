export interface SvgBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const rect = ({ x, y, width, height }: SvgBox, attributes: string): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" ${attributes}/>`;

/** A text in lines that are at most so wide. */
export function wrapWords(words: string, width: number, size: number): string[] {
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

export interface SvgTextStyle {
  x: number;
  y: number;
  width: number;
  size: number;
  weight?: number;
  fill: string;
  /** `x` is its middle or end, not its start. */
  anchor?: "middle" | "end";
  isCode?: boolean;
}

const codeFont = "'JetBrains Mono Variable', 'JetBrains Mono', ui-monospace, SFMono-Regular, monospace";

/** One line, clipped to its width; empty: nothing. */
export function text(content: string, style: SvgTextStyle): string {
  const { x, y, width, size, weight = 400, fill, anchor, isCode = false } = style;
  const clipped = clipToWidth(content, width, size);
  if (clipped === "") return "";
  const attributes = `${anchor ? ` text-anchor="${anchor}"` : ""}${isCode ? ` font-family="${codeFont}"` : ""}`;
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}"${attributes}>${escapeXml(clipped)}</text>`;
}

/** `line` is the height of a line. */
export type SvgParagraphStyle = SvgTextStyle & { line: number };

export type DrawParagraph = (content: string, most: number, style: SvgParagraphStyle) => string;

/** At most `most` lines below each other, the last of them with an ellipsis where there would be more. Around `y` where it is centered. */
export function paragraph(content: string, most: number, style: SvgParagraphStyle): string {
  const lines = wrapWords(content, style.width, style.size);
  const shown = lines.length > most ? [...lines.slice(0, most - 1), `${lines[most - 1]} …`] : lines;
  const top = style.anchor === "middle" ? style.y + style.size / 3 - ((shown.length - 1) * style.line) / 2 : style.y;
  return shown.map((line, index) => text(line, { ...style, y: top + index * style.line })).join("");
}

/** About how wide a character is, in parts of the font size: there is nothing to measure with here. */
const widthOfSign = (sign: string): number =>
  /[\u1100-\u11ff\u2e80-\uffdc]|\p{Emoji_Presentation}/u.test(sign) ? 1.05 : /[A-Zmw@%]/.test(sign) ? 0.74 : 0.57;

export const widthOf = (content: string, size: number): number =>
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
export const escapeXml = (content: string): string =>
  content.replaceAll(/[&<>"']/g, (sign) => entities.get(sign) ?? sign).replaceAll(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, " ");

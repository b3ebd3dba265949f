import { longestMark } from "../../_ui/text/embedded-data";

export interface TextRows {
  text: string;
  starts: Uint32Array;
}

/**
 * Splits a text into rows: its lines, and lines longer than `columns` into chunks. Never splits a surrogate pair or
 * a mark of embedded data. In linear time.
 */
export function toTextRows(text: string, columns: number): TextRows {
  const width = Math.max(longestMark + 1, Math.floor(columns));
  let starts = new Uint32Array(1024);
  let count = 0;
  const add = (start: number): void => {
    if (count === starts.length) {
      const grown = new Uint32Array(count * 2);
      grown.set(starts);
      starts = grown;
    }
    starts[count++] = start;
  };
  for (let lineStart = 0; lineStart < text.length; ) {
    const end = text.indexOf("\n", lineStart);
    const line = end < 0 ? text.length : end;
    add(lineStart);
    for (let next = toChunkEnd(text, lineStart, width); next < line; next = toChunkEnd(text, next, width)) add(next);
    lineStart = line + 1;
  }
  return { text, starts: starts.subarray(0, count) };
}

function toChunkEnd(text: string, start: number, width: number): number {
  const cut = start + width;
  if (cut >= text.length) return cut;
  const tail = text.slice(cut - longestMark, cut);
  const mark = tail.lastIndexOf("\uE000");
  if (mark > 0 && !tail.includes("\uE001", mark)) return cut - longestMark + mark;
  const unit = text.charCodeAt(cut);
  return unit >= 0xdc00 && unit <= 0xdfff ? cut + 1 : cut;
}

export function joinRows({ text, starts }: TextRows, firstRow: number, endRow: number): string {
  const rows: string[] = [];
  for (let row = firstRow; row < Math.min(endRow, starts.length); row++) {
    const line = text.slice(starts[row], starts[row + 1] ?? text.length);
    rows.push(line.endsWith("\n") ? line.slice(0, -1) : line);
  }
  return rows.join("\n");
}

export interface EmbeddedData {
  start: number;
  end: number;
  type: string;
  bytes: number;
  isUrl: boolean;
}

const shortest = 64;
const shortestBare = 512;
const longestHead = 200;

const isDataCode = new Uint8Array(128);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")
  isDataCode[char.charCodeAt(0)] = 1;
const isData = (text: string, index: number): boolean => isDataCode[text.charCodeAt(index)] === 1;

const beginnings: readonly (readonly [string, string])[] = [
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
  ["JVBERi0", "application/pdf"],
  ["UEsDB", "application/zip"],
  ["H4sI", "application/gzip"],
];

/**
 * Finds base64 in a text: data URLs, and long runs of its characters in which upper and lower case and digits are mixed.
 * In linear time, of most texts it looks at one character in 64.
 */
export function findEmbeddedData(text: string): EmbeddedData[] {
  const matches: EmbeddedData[] = [];
  let position = 0;
  while (position < text.length) {
    // A run that is long enough and begins before this position contains it.
    const probe = position + shortest - 1;
    if (!isData(text, probe)) {
      position = probe + 1;
      continue;
    }
    let start = probe;
    while (start > position && isData(text, start - 1)) start--;
    let end = probe + 1;
    while (isData(text, end)) end++;
    const data = end - start >= shortest ? readRun(text, start, end) : null;
    if (data) matches.push(data);
    position = end;
  }
  return matches;
}

function readRun(text: string, start: number, codeEnd: number): EmbeddedData | null {
  let end = codeEnd;
  while (end < codeEnd + 2 && text[end] === "=") end++;
  const bytes = Math.floor(((codeEnd - start) * 3) / 4);
  const prefix = text.slice(Math.max(0, start - longestHead), start);
  const head = /data:([\w.+-]+\/[\w.+-]+)?(?:;[\w.+-]+=[^;,\s"'()]*)*;base64,$/i.exec(prefix);
  if (head) {
    const [urlHead, type = "text/plain"] = head;
    return { start: start - urlHead.length, end, type: type.toLowerCase(), bytes, isUrl: true };
  }
  const sample = text.slice(start, start + shortestBare);
  const isMixed = /[A-Z]/.test(sample) && /[a-z]/.test(sample) && /\d/.test(sample);
  if (codeEnd - start < shortestBare || !isMixed) return null;
  const format = beginnings.find(([begin]) => sample.startsWith(begin));
  return { start, end, type: format?.[1] ?? "base64", bytes, isUrl: false };
}

export interface MarkedText {
  text: string;
  data: readonly EmbeddedData[];
  original: string;
}

export const markPattern = /\uE000(\d{1,9})\uE001/g;
const toMark = (index: number): string => `\uE000${index}\uE001`;

export const longestMark = 11;

export function markData(original: string): MarkedText {
  const data = findEmbeddedData(original);
  let [text, position] = ["", 0];
  for (const [index, { start, end }] of data.entries()) {
    text += original.slice(position, start) + toMark(index);
    position = end;
  }
  return { text: position === 0 ? original : text + original.slice(position), data, original };
}

/** Texts and embedded data in turn. A mark without data stays text. */
export function splitMarks(text: string, { data }: MarkedText): (string | EmbeddedData)[] {
  const segments: (string | EmbeddedData)[] = [];
  let position = 0;
  for (const { index, 0: mark, 1: dataIndex } of text.matchAll(markPattern)) {
    const embedded = data[Number(dataIndex)];
    if (!embedded) continue;
    if (index > position) segments.push(text.slice(position, index));
    segments.push(embedded);
    position = index + mark.length;
  }
  if (position < text.length) segments.push(text.slice(position));
  return segments;
}

/** Size limit in bytes and types of images that are drawn: only types that contain nothing but pixels. */
const largestPicture = 1_000_000;
const pictures = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** The URL of an image that may be drawn; null for anything else. */
export const toPicture = ({ type, isUrl, bytes, start, end }: EmbeddedData, original: string): string | null =>
  isUrl && pictures.has(type) && bytes <= largestPicture ? original.slice(start, end) : null;

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
const isData = (text: string, at: number): boolean => isDataCode[text.charCodeAt(at)] === 1;

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
  const found: EmbeddedData[] = [];
  let at = 0;
  while (at < text.length) {
    // A run that is long enough and begins before this position contains it.
    const probe = at + shortest - 1;
    if (!isData(text, probe)) {
      at = probe + 1;
      continue;
    }
    let from = probe;
    while (from > at && isData(text, from - 1)) from--;
    let to = probe + 1;
    while (isData(text, to)) to++;
    const data = to - from >= shortest ? readRun(text, from, to) : null;
    if (data) found.push(data);
    at = to;
  }
  return found;
}

function readRun(text: string, from: number, end: number): EmbeddedData | null {
  let to = end;
  while (to < end + 2 && text[to] === "=") to++;
  const bytes = Math.floor(((end - from) * 3) / 4);
  const before = text.slice(Math.max(0, from - longestHead), from);
  const head = /data:([\w.+-]+\/[\w.+-]+)?(?:;[\w.+-]+=[^;,\s"'()]*)*;base64,$/i.exec(before);
  if (head) {
    const [whole, type = "text/plain"] = head;
    return { start: from - whole.length, end: to, type: type.toLowerCase(), bytes, isUrl: true };
  }
  const sample = text.slice(from, from + shortestBare);
  const isMixed = /[A-Z]/.test(sample) && /[a-z]/.test(sample) && /\d/.test(sample);
  if (end - from < shortestBare || !isMixed) return null;
  const known = beginnings.find(([begin]) => sample.startsWith(begin));
  return { start: from, end: to, type: known?.[1] ?? "base64", bytes, isUrl: false };
}

export interface MarkedText {
  text: string;
  data: readonly EmbeddedData[];
  original: string;
}

export const markPattern = /\uE000(\d{1,9})\uE001/g;
const toMark = (place: number): string => `\uE000${place}\uE001`;

export const longestMark = 11;

export function markData(original: string): MarkedText {
  const data = findEmbeddedData(original);
  let [text, at] = ["", 0];
  for (const [place, { start: from, end: to }] of data.entries()) {
    text += original.slice(at, from) + toMark(place);
    at = to;
  }
  return { text: at === 0 ? original : text + original.slice(at), data, original };
}

export function splitMarks(text: string, { data }: MarkedText): (string | EmbeddedData)[] {
  const pieces: (string | EmbeddedData)[] = [];
  let at = 0;
  for (const { index, 0: mark, 1: place } of text.matchAll(markPattern)) {
    const one = data[Number(place)];
    if (!one) continue;
    if (index > at) pieces.push(text.slice(at, index));
    pieces.push(one);
    at = index + mark.length;
  }
  if (at < text.length) pieces.push(text.slice(at));
  return pieces;
}

/** Size limit in bytes and types of images that are drawn: only types that contain nothing but pixels. */
const largestPicture = 1_000_000;
const pictures = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** The URL of an image that may be drawn; null for anything else. */
export const toPicture = (
  { type, isUrl, bytes, start: from, end: to }: EmbeddedData,
  original: string,
): string | null => (isUrl && pictures.has(type) && bytes <= largestPicture ? original.slice(from, to) : null);

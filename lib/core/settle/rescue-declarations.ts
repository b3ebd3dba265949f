import type * as Y from "yjs";
import type { TextRange } from "../flow/text-range";
import { findLost, keepLetters, type LostText } from "../live/deleted-entries";
import { readText } from "../live/live-document";
import { writeSharedText } from "../live/shared-text";
import { listDeclaredNames } from "../live/structure-versions";
import { findLetter, findParts } from "../live/written-parts";
import { declaringSections } from "../source/read/sections";

/**
 * Keeps what someone declared next to a declaration, or in a section, while someone else deleted that. A section that is gone
 * comes back.
 */
export function rescueDeclarations(doc: Y.Doc): void {
  if (listDeclaredNames(doc).length === 0) return;
  // Another entry may have been deleted in the same place.
  for (let found = findRun(doc), rest = maxRuns; found && rest > 0; found = findRun(doc), rest--) {
    keepLetters(doc, findParts(doc, writeLines(doc, found.title, found.range)));
  }
}

/** Of declarations that are rescued at once. */
const maxRuns = 50;

interface LostRun extends Pick<LostText, "entry" | "title" | "client"> {
  range: TextRange;
}

/** What one person wrote without a gap, with a name that it declares. */
function findRun(doc: Y.Doc): LostRun | undefined {
  const runs: LostRun[] = [];
  for (const { entry, title, client, range } of findLost(doc)) {
    const last = runs.at(-1);
    if (!range) continue;
    if (last?.range.to === range.from && last.entry === entry && last.client === client) last.range.to = range.to;
    else runs.push({ entry, title, client, range: { ...range } });
  }
  const text = readText(doc);
  const places = listDeclaredNames(doc).flatMap(({ key, written }) => {
    const place = findLetter(doc, key);
    return place === null ? [] : [{ from: place, to: place + written.length + 1 }];
  });
  for (const run of runs) {
    const { range } = run;
    const inside = places.filter(({ from, to }) => range.from <= from && to <= range.to && text[to - 1] === ":");
    const first = Math.min(...inside.map(({ from }) => from));
    // What is before the line of the first name is in something else.
    if (inside.length > 0)
      return { ...run, range: { from: Math.max(range.from, text.lastIndexOf("\n", first)), to: range.to } };
  }
  return undefined;
}

/** Makes lines of their own of a range, under the title of a section. Returns where they are. */
function writeLines(doc: Y.Doc, title: string, { from: start, to: end }: TextRange): TextRange {
  const text = readText(doc);
  if (!/^(?:\r?\n)? +\S/.test(text.slice(start, end))) return { from: start, to: end };
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const isBegun = start === 0 || text[start - 1] === "\n";
  const isEnded = text[end - 1] === "\n" || text.startsWith(eol, end) || end === text.length;
  const isSection = declaringSections().includes(title);
  const head = isSection ? `${title}:${eol}` : "";
  const [before, after] = [(isBegun ? "" : eol) + head, isEnded ? "" : eol];
  const changes = [
    { from: start, to: start, insert: before },
    { from: end, to: end, insert: after },
  ];
  writeSharedText(
    doc,
    changes.filter(({ insert }) => insert !== ""),
  );
  return { from: start, to: end + before.length + after.length };
}

import type * as Y from "yjs";
import { eolOf, type TextChange, type TextRange } from "../flow/text-range";
import { keepLetters, listKept } from "../live/deleted-entries";
import { readText } from "../live/live-document";
import { findLeft, type LeftText, type LostText } from "../live/lost-texts";
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
    keepLetters(doc, findParts(doc, writeLines(doc, found)));
  }
}

/** Of declarations that are rescued at once. */
const maxRuns = 50;

interface LostRun extends Pick<LostText, "entry" | "title" | "isSection" | "client"> {
  range: TextRange;
  /** Offsets at which deleted text was between. */
  joints: number[];
  /** Offsets of the names that it declares. */
  names: readonly number[];
  /** Whether it follows on what is kept: as letters of the same insertions, or in the text. */
  follows: boolean;
  isNext: boolean;
  /** Where all of it begins, with what is not kept. */
  start: number;
}

/** A field that several people may have added in the same way belongs to what it was added to. */
const isOfOne = (run: LostRun, client: number): boolean => run.client === client || run.client === 0 || client === 0;

/** What one person wrote without a gap, with a name that it declares. */
function findRun(doc: Y.Doc): LostRun | undefined {
  const left = findLeft(doc);
  if (left.every(({ kept }) => kept !== null)) return undefined;
  const text = readText(doc);
  const places = listDeclaredNames(doc).flatMap(({ key, written }) => {
    const place = findLetter(doc, key);
    return place === null ? [] : [{ from: place, to: place + written.length + 1 }];
  });
  const listNames = ({ range }: LostRun): TextRange[] =>
    places.filter(({ from, to }) => range.from <= from && to <= range.to && text[to - 1] === ":");
  for (const own of listRuns(left, places)) {
    if (listNames(own).length === 0) {
      // A field beside what is kept.
      if (own.isNext && isLineBegin(text, own.range.from)) return { ...own, follows: true };
      continue;
    }
    const run = { ...own, range: withContinuations(doc, own) };
    const { range } = run;
    const inside = listNames(run);
    const names = inside.map(({ from: start }) => start);
    const first = Math.min(...names);
    // What is before the line of the first name, or its comma in braces, is in something else.
    const starts = [range.from, ...[/\r?\n[^\n]*$/, /,[ \t]*$/].map((start) => text.slice(0, first).search(start))];
    return { ...run, names, range: { from: Math.max(...starts), to: range.to } };
  }
  return undefined;
}

/** Where a run is, with what others wrote in it or after it since. */
function withContinuations(doc: Y.Doc, { entry, range }: LostRun): TextRange {
  let end = range.to;
  for (const left of findLeft(doc, [...listKept(doc), ...findParts(doc, range)]))
    if (left.kept === "beside" && left.entry === entry && left.range?.from === end) end = left.range.to;
  return { from: range.from, to: end };
}

/** What one person wrote without a gap. A name among `places`, which was given to it since, is kept already and belongs to it. */
function listRuns(left: readonly LeftText[], places: readonly TextRange[]): LostRun[] {
  const runs: LostRun[] = [];
  let keptEnd = -1;
  for (const { entry, title, isSection, client, range, kept } of left) {
    const last = runs.at(-1);
    if (kept !== null && range) keptEnd = range.to;
    const isName = places.some(({ from: start, to: end }) => start === range?.from && end - 1 === range.to);
    if (!range || (kept !== null && !isName)) continue;
    if (last?.range.to === range.from && last.entry === entry && isOfOne(last, client)) {
      last.joints.push(range.from);
      last.range.to = range.to;
      last.client ||= client;
    } else
      runs.push({
        ...{ entry, title, client, range: { ...range }, joints: [], names: [], start: range.from },
        ...(isSection && { isSection }),
        ...{ follows: kept !== null, isNext: keptEnd === range.from },
      });
  }
  return runs;
}

/** Makes lines of their own of a run, under the title of a section. Returns where they are. */
function writeLines(doc: Y.Doc, run: LostRun): TextRange {
  const { title, joints } = run;
  const { from: start, to: end } = run.range;
  const text = readText(doc);
  const eol = eolOf(text);
  if (!/^(?:\r?\n)? +\S/.test(text.slice(start, end))) return writeUnbraced(doc, run, eol);
  const isBegun = start === 0 || text[start - 1] === "\n";
  const isEnded = text[end - 1] === "\n" || text.startsWith(eol, end) || end === text.length;
  const isSection = run.isSection && !run.follows && declaringSections().includes(title);
  const head = isSection ? `${title}:${eol}` : "";
  const [before, after] = [(isBegun ? "" : eol) + head, isEnded ? "" : eol];
  // A line whose end was the one of a deleted line, before another field.
  const ends = joints.filter((joint) => start < joint && text[joint - 1] !== "\n" && isLineBegin(text, joint));
  const changes = [
    { from: start, to: start, insert: before },
    ...ends.map((joint) => ({ from: joint, to: joint, insert: eol })),
    { from: end, to: end, insert: after },
  ];
  writeSharedText(
    doc,
    changes.filter(({ insert }) => insert !== ""),
  );
  return { from: start, to: changes.reduce((sum, { insert }) => sum + insert.length, end) };
}

/** Whether an indented field begins at an offset. */
const isLineBegin = (text: string, offset: number): boolean =>
  /^ +(?:- )?[\w-]+:\s/.test(text.slice(offset, offset + maxHead));

/** What was in braces becomes lines of its own where its section has lines now. */
function writeUnbraced(doc: Y.Doc, { range, names, start: outerStart }: LostRun, eol: string): TextRange {
  const { from: start, to: end } = range;
  const text = readText(doc);
  const head = text.slice(text.lastIndexOf("\n", outerStart - 1) + 1, outerStart);
  const [, indent] = /^[ \t]*\r?\n( +)\S/.exec(text.slice(end, end + maxHead)) ?? [];
  // The head of the section, or an entry that became a line of its own before.
  const isAfterLine = /^[\w-]+:[ \t]*$/.test(head) || /^ +\S.*[}\]]$/.test(head);
  if (indent === undefined || !text.startsWith(",", start) || !isAfterLine) return range;
  const insert = eol + indent;
  const changes = names.flatMap((name): TextChange[] => {
    const comma = start + text.slice(start, name).search(/,[ \t]*$/);
    return comma < start ? [] : [{ from: comma, to: name, insert }];
  });
  writeSharedText(doc, changes);
  const growth = changes.reduce((sum, change) => sum + insert.length - (change.to - change.from), 0);
  return { from: start, to: end + growth };
}

/** Characters in which the first line of a section begins. */
const maxHead = 200;

import { type Document, isMap, isSeq, type Node, Pair, YAMLMap } from "yaml";
import type { Variables } from "../../flow/field-variables";
import type { Problem } from "../../flow/problem";
import type { Range } from "../../flow/text-range";
import { moveEntry, moveNode } from "../yaml/move-nodes";
import { documentOf, type Entry, readItems, standsInFlow, withoutAliases } from "../yaml/yaml-nodes";
import { Reading } from "./entry-reader";
import { type Piece, readPiece, readWhole, trimmed } from "./parsed-chunk";
import { type Cut, keyOf, lineAt, splitBroken, splitChanged, splitSource } from "./split-chunks";

/** One entry of a flow file where it stands. */
export class Part {
  readonly type = "part";
  #placed: Entry | undefined;
  constructor(
    /** With places counted from the start of the piece. */
    readonly entry: Entry,
    readonly piece: Piece,
    /** Where the piece begins in the file. */
    readonly from: number,
  ) {}

  get key(): string {
    return this.entry.key;
  }

  /** The entry with its places in the file. */
  get placed(): Entry {
    this.#placed ??= this.from === 0 ? this.entry : moveEntry(this.entry, this.from);
    return this.#placed;
  }

  reading(vars?: Variables): Reading {
    return new Reading(this.piece.text, this.piece.document, vars);
  }
}

/** A stretch of a flow file that cannot be read. */
export interface Broken {
  type: "broken";
  range: Range;
  /** Of a declaration: what it is called, as far as that can be told. */
  name: string | null;
  /** Whether it begins as no declaration does and holds lines of the one above. */
  cutsShort: boolean;
  /** Whether it stood in the text that was read before. */
  isKnown: boolean;
  /** Its first line, without spaces and quotes. */
  start: string;
}

/** A top-level entry. */
export interface Section {
  head: Part;
  /** What stands in it, when the file was cut there; null: its value says. */
  members: readonly (Part | Broken)[] | null;
}

/** A flow file, taken apart. */
export interface SourceParts {
  sections: ReadonlyMap<string, Section>;
  /** In the order of the text: of the top level only. */
  broken: readonly Broken[];
  /** What is wrong with the form. */
  problems: readonly Problem[];
  /** The form is so broken that nothing can be read. */
  unreadable: boolean;
  /** For reading the text again after a change: what was read, and where it stood. */
  kept: Kept | null;
  /** What aliases stand for is found with it. */
  yaml: Document;
  /** Whether the parts were read each on its own. */
  isCut: boolean;
  /** Whether everything stands in one pair of braces. */
  isBraced: boolean;
  /** Whether a place stands inside braces or brackets. */
  standsInFlow(offset: number): boolean;
}

/** What was read of a text that was cut. */
interface Kept {
  text: string;
  placed: readonly Placed[];
  /** Cut as `splitSource` cuts, with no entry that was cut smaller because it cannot be read. */
  isPlain: boolean;
}

/** Takes a flow file apart; what it has in common with a text that was read before is not read again. */
export function takeApart(text: string, before: Kept | null = null): SourceParts {
  const kept = (before && placeChanged(text, before)) ?? placeAll(text, before);
  if (!kept || kept.placed.some(({ piece }) => piece.hasAlias)) return takeWhole(text);
  return { ...collect(kept.placed), kept, yaml: withoutAliases, unreadable: false, isCut: true, isBraced: false };
}

/** The pieces of a text of which one declaration changed; null when more may have changed. */
function placeChanged(text: string, { text: old, placed, isPlain }: Kept): Kept | null {
  const cuts = placed.map(({ cut }) => cut);
  const changed = isPlain ? splitChanged(text, old, cuts) : null;
  if (!changed) return null;
  const { index, by } = changed;
  const now = changed.cuts.map((cut): Placed => {
    const isKnown = cut.text === cuts[index]?.text;
    return { cut, piece: (isKnown && placed[index]?.piece) || readPiece(cut), isKnown };
  });
  if (now.some(({ cut, piece }) => cut.section === null && piece.mistakes.length > 0)) return null;
  const move = ({ cut, piece }: Placed, distance: number): Placed => ({
    cut: distance === 0 ? cut : { ...cut, from: cut.from + distance },
    piece,
    isKnown: true,
  });
  const first = placed.slice(0, index).map((one) => move(one, 0));
  const rest = placed.slice(index + 1).map((one) => move(one, by));
  return { text, placed: [...first, ...now, ...rest], isPlain };
}

/** Finds what was read of a cut before: most stand where they stood, counted from the start or from the end. */
function recallPieces(before: Kept | null, count: number): (cut: Cut, index?: number) => Piece | undefined {
  const placed = before?.placed ?? [];
  const keyOfCut = ({ section, indent, text }: Cut): string => `${section ?? ""} ${indent} ${text}`;
  let byKey: Map<string, Piece> | undefined;
  return (cut, index = Number.NaN) => {
    for (const there of [placed[index], placed[index + placed.length - count]])
      if (there?.cut.text === cut.text && there.cut.section === cut.section && there.cut.indent === cut.indent)
        return there.piece;
    byKey ??= new Map(placed.map((one) => [keyOfCut(one.cut), one.piece]));
    return byKey.get(keyOfCut(cut));
  };
}

/** The pieces of a text; null when it must be read as a whole. */
function placeAll(text: string, before: Kept | null): Kept | null {
  const cuts = splitSource(text);
  if (!cuts) return null;
  const recall = recallPieces(before, cuts.length);
  const toPlaced = (cut: Cut, index?: number): Placed => {
    const piece = recall(cut, index);
    return { cut, piece: piece ?? readPiece(cut), isKnown: piece !== undefined };
  };
  const placed: Placed[] = [];
  let isPlain = true;
  for (const [index, cut] of cuts.entries()) {
    const one = toPlaced(cut, index);
    const stray = cut.section === null && one.piece.mistakes.length > 0 ? splitBroken(cut, placed.at(-1)?.cut) : null;
    placed.push(...(stray ? stray.map((part) => toPlaced(part)) : [one]));
    isPlain &&= stray === null;
  }
  return { text, placed, isPlain };
}

function takeWhole(text: string): SourceParts {
  const piece = readWhole(text);
  const { document } = piece;
  const reading = new Reading(text, document);
  const sections = new Map(
    (reading.entries(document.contents) ?? []).map((entry): [string, Section] => [
      entry.key,
      { head: new Part(entry, piece, 0), members: null },
    ]),
  );
  return {
    sections,
    broken: [],
    problems: [...piece.mistakes, ...reading.problems],
    unreadable: piece.mistakes.length > 0,
    kept: null,
    yaml: documentOf(document),
    isCut: false,
    isBraced: isMap(document.contents) && document.contents.flow === true,
    standsInFlow: (offset) => standsInFlow(document, offset),
  };
}

interface Placed {
  cut: Cut;
  piece: Piece;
  isKnown: boolean;
}

function collect(placed: readonly Placed[]): Pick<SourceParts, "sections" | "broken" | "problems" | "standsInFlow"> {
  const sections = new Map<string, { head: Part; members: (Part | Broken)[] | null }>();
  const broken: Broken[] = [];
  const problems: Problem[] = [];
  let open: (Part | Broken)[] = [];
  placed.forEach((one, index) => {
    const { cut, piece } = one;
    const { from } = cut;
    if (piece.mistakes.length > 0) problems.push(...moveFound(piece.mistakes, from));
    const found =
      piece.mistakes.length > 0 ? [toBroken(one)] : piece.entries.map((entry) => new Part(entry, piece, from));
    if (cut.section !== null) {
      open.push(...found);
      return;
    }
    open = [];
    const isCut = (placed[index + 1]?.cut.section ?? null) !== null;
    for (const part of found)
      if (part.type === "broken") broken.push(part);
      else if (sections.has(part.key)) problems.push(standsTwice(part));
      else sections.set(part.key, { head: part, members: isCut ? open : null });
  });
  const inFlow = (offset: number): boolean => {
    const { cut, piece } = placed.findLast((one) => one.cut.from <= offset) ?? {};
    return cut !== undefined && piece !== undefined && standsInFlow(piece.document, offset - cut.from);
  };
  return { sections, broken, problems, standsInFlow: inFlow };
}

function toBroken({ cut: { from, text, indent }, isKnown }: Placed): Broken {
  const range = trimmed(text);
  const line = lineAt(text, 0);
  const name = line.search(/\S/) === indent ? keyOf(line) : null;
  const cutsShort = name === null && text.slice(0, range.to).includes("\n");
  const start = line.trim().replaceAll(/^["']|["']$/g, "");
  return { type: "broken", range: { from: from + range.from, to: from + range.to }, name, cutsShort, isKnown, start };
}

/** The problem of a key that an earlier entry has already. */
export function standsTwice({ entry, piece, from }: Part): Problem {
  const reading = new Reading(piece.text, piece.document);
  const message = `\`${entry.key}\` stands here twice; the first one counts. Remove or rename this one.`;
  reading.report("invalid-value", "error", message, entry.keyNode);
  return moveFound(reading.problems, from)[0] ?? { code: "invalid-value", severity: "error", message };
}

/** Problems of a piece, with their places in the file. */
export function moveFound(problems: readonly Problem[], by: number): Problem[] {
  if (by === 0) return [...problems];
  const move = <T extends Range>(range: T): T => ({ ...range, from: range.from + by, to: range.to + by });
  return problems.map(({ range, fix, ...problem }) => ({
    ...problem,
    ...(range && { range: move(range) }),
    ...(fix && { fix: { ...fix, changes: fix.changes.map(move) } }),
  }));
}

/** A top-level entry with its places in the file, and with what was cut from it put back as its value. */
export function placeSection({ head, members }: Section): Entry {
  const { key, keyNode, value, pair } = head.placed;
  const parts = (members ?? []).filter((member) => member.type === "part");
  const [first] = parts;
  if (!first) return { key, keyNode, value, pair };
  let whole: { value: YAMLMap; pair: Pair } | undefined;
  const join = () => {
    whole ??= joinParts(keyNode, parts);
    return whole;
  };
  return {
    key,
    keyNode,
    get value() {
      return join().value;
    },
    get pair() {
      return join().pair;
    },
  };
}

function joinParts(keyNode: Entry["keyNode"], parts: readonly Part[]): { value: YAMLMap; pair: Pair } {
  const items = parts.map(({ placed }) => placed.pair);
  const [first, last] = [parts[0]?.placed, parts.at(-1)?.placed];
  const end = (last?.value ?? last?.keyNode)?.range?.[2] ?? 0;
  const range: [number, number, number] = [first?.keyNode.range?.[0] ?? 0, end, end];
  const value = Object.assign(new YAMLMap(), { items, range });
  return { value, pair: new Pair(keyNode, value) };
}

/** The items of a section that is a list, each with its place in the file found when somebody asks. Null: it is none. */
export function listedIn({ entry, piece, from }: Part): { item: Node | null; place(): Node | null }[] | null {
  if (!isSeq(entry.value)) return null;
  return (readItems(entry.value, piece.document) ?? []).map((item) => ({
    item,
    place: () => item && (from === 0 ? item : moveNode(item, from)),
  }));
}

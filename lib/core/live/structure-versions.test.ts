import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { noteInMap } from "./note-in-map";
import {
  listKnown,
  listRivalVersions,
  listVersions,
  noteVersion,
  type StructureVersion,
  toVersionKey,
} from "./structure-versions";
import { findParts } from "./written-parts";

function open(text = "abcdef"): Y.Doc {
  const doc = new Y.Doc();
  doc.clientID = 7;
  doc.getText("source").insert(0, text);
  return doc;
}

const version = (key: string, fields: Partial<StructureVersion> = {}): StructureVersion => ({
  key,
  scope: "[]",
  before: "",
  knows: [],
  renames: {},
  removed: [],
  by: 1,
  parts: [],
  ...fields,
});
const { key: _, ...stored } = version("");
const keysOf = (versions: readonly StructureVersion[]): string[] => versions.map(({ key }) => key);

describe("versions of the structure", () => {
  it("are the latest ones where there are too many, the same in every document", () => {
    const doc = open();
    const notes = new Map(Array.from({ length: 400 }, (_, index) => [`early ${index}`, stored]));
    noteInMap(doc.getMap("structures"), 1_000, notes);
    for (let index = 0; index < 100; index++)
      noteInMap(doc.getMap("structures"), 1_000, new Map([[`late ${index}`, stored]]));
    const copy = new Y.Doc();
    Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc));
    const keys = keysOf(listVersions(doc));
    expect(keys).toHaveLength(200);
    expect(keys.filter((key) => key.startsWith("late"))).toHaveLength(100);
    expect(keysOf(listVersions(copy)).toSorted()).toEqual(keys.toSorted());
  });

  it("are read once each", () => {
    const doc = open();
    noteVersion(doc, version("a"));
    const [first] = listVersions(doc);
    expect(listVersions(doc)[0]).toBe(first);
  });

  it("are left out where they list more than any editor does", () => {
    const doc = open();
    const part = { start: { client: 7, clock: 0 }, end: { client: 7, clock: 1 } };
    noteVersion(doc, version("long", { parts: Array.from({ length: 9_000 }, () => part) }));
    noteVersion(doc, version("short", { parts: [part] }));
    expect(keysOf(listVersions(doc))).toEqual(["short"]);
  });

  it("are left out where their keys are longer than any editor's", () => {
    const doc = open();
    noteVersion(doc, version("1:2 ".repeat(1_001)));
    noteVersion(doc, version("1:2"));
    expect(keysOf(listVersions(doc))).toEqual(["1:2"]);
  });

  it("are the latest ones where all together know more than any editors do", () => {
    const doc = open();
    const knows = Array.from({ length: 2_000 }, (_, index) => `${index + 1}:1`);
    for (let index = 0; index < 20; index++) noteVersion(doc, version(`v${index}`, { knows }));
    expect(keysOf(listVersions(doc))).toEqual(Array.from({ length: 14 }, (_, index) => `v${index + 6}`));
  });

  it("have keys that are as short as a document takes, whatever they were written in", () => {
    const part = (clock: number) => ({ client: 2 ** 52 + clock, clock: 1_000_000 });
    const parts = Array.from({ length: 1_000 }, (_, clock) => ({ start: part(clock), end: part(clock) }));
    const key = toVersionKey(parts) ?? "";
    expect(key.length).toBeLessThanOrEqual(4_000);
    const doc = open();
    noteVersion(doc, version(key, { parts: parts.slice(0, 200) }));
    expect(keysOf(listVersions(doc))).toEqual([key]);
  });

  it("are rivals where neither knows the other and both are in the text", () => {
    const doc = open();
    const parts = findParts(doc, { from: 1, to: 3 });
    const gone = findParts(doc, { from: 4, to: 5 });
    doc.getText("source").delete(4, 1);
    noteVersion(doc, version("a", { by: 5, parts }));
    noteVersion(doc, version("b", { by: 3, parts }));
    noteVersion(doc, version("gone", { parts: gone }));
    noteVersion(doc, version("unknown", { parts: [{ start: { client: 9, clock: 0 }, end: { client: 9, clock: 4 } }] }));
    noteVersion(doc, version("other", { scope: "other" }));
    expect(listRivalVersions(doc).map(keysOf)).toEqual([["b", "a"]]);
    noteVersion(doc, version("c", { by: 9, knows: ["a", "b", "c"], parts }));
    expect(listRivalVersions(doc)).toEqual([]);
  });

  it("are settled when the one that stays is noted again, also where it alone knew the others", () => {
    const doc = open();
    for (const key of ["0-1", "0-2", "0-3"]) noteVersion(doc, version(key));
    noteVersion(doc, version("0-1", { knows: ["0-2"] }));
    const rivals = listRivalVersions(doc).map(keysOf);
    expect(rivals).toEqual([["0-1", "0-3"]]);
    noteVersion(doc, version("0-1", { knows: listKnown(doc, "0-1") }));
    expect(listRivalVersions(doc)).toEqual([]);
  });
});

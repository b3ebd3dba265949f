import { expect, test } from "vitest";
import * as Y from "yjs";
import { findLost } from "./lost-texts";
import { listRivalVersions, listVersions } from "./structure-versions";

const text = "agents:\n  a: {}\n  b: {}\nflow: a\n";

function openDocument(client: number): Y.Doc {
  const doc = new Y.Doc();
  doc.clientID = client;
  doc.getText("source").insert(0, text);
  return doc;
}

const version = { before: "", knows: [], renames: {}, removed: [], by: 1, parts: [] };

test("a note of a deleted entry that was not deleted takes out nothing", () => {
  const doc = openDocument(1);
  const letter = (clock: number) => ({ client: 1, clock });
  const note = { end: letter(20), last: letter(21), title: "a", known: { "1": 5 } };
  doc.getMap("deleted").set("1:8", note);
  expect(findLost(doc)).toEqual([]);
  doc.getText("source").delete(8, 1);
  expect(findLost(doc)).toEqual([]);
});

test("a note of a deleted entry takes out nothing where something is left of what was there", () => {
  const doc = openDocument(1);
  const source = doc.getText("source");
  const letter = (clock: number) => ({ client: 1, clock });
  // Its first and last letters are deleted and typed again.
  for (const offset of [20, 21, 8]) {
    source.delete(offset, 1);
    source.insert(offset, text.charAt(offset));
  }
  const note = { end: letter(20), last: letter(21), title: "a", known: { "1": Y.getState(doc.store, 1) - 1 } };
  doc.getMap("deleted").set("1:8", note);
  source.insert(12, "what someone writes");
  expect(findLost(doc)).toEqual([]);
});

test.each([
  ["of two documents", { start: { client: 1, clock: 0 }, end: { client: 2, clock: 5 } }],
  ["that ends before it begins", { start: { client: 1, clock: 5 }, end: { client: 1, clock: 0 } }],
  ["with a negative clock", { start: { client: 1, clock: -1 }, end: { client: 1, clock: 5 } }],
])("a version with a part %s is not read", (_, part) => {
  const doc = openDocument(1);
  doc.getMap("structures").set("1:0", { ...version, scope: "[]", parts: [part] });
  expect(listVersions(doc)).toEqual([]);
});

test("names without a letter are no names before others", () => {
  const doc = openDocument(1);
  const names = doc.getMap("names");
  for (const clock of [10, 11, 12])
    names.set(`1:${clock}`, { name: clock === 11 ? "" : "n", written: clock === 12 ? "b" : "", by: 1, old: "x" });
  doc.getMap("structures").set("1:0", { ...version, scope: '["a"]', nameEnd: "1:13" });
  doc.getMap("structures").set("1:1", { ...version, scope: '["a"]', nameEnd: "1:11" });
  expect(listVersions(doc).map(({ scope }) => scope)).toEqual(['["n"]', '["a"]']);
});

test.each<[string, object, number]>([
  ["a scope", { scope: "[".repeat(4_001) }, 0],
  ["few refs", { scope: "[]", refs: { agent: "1:0" } }, 1],
])("a version with %s is read, or not", (_, more, count) => {
  const doc = openDocument(1);
  doc.getMap("structures").set("1:0", { ...version, ...more });
  expect(listVersions(doc)).toHaveLength(count);
});

test("more meanings of names than an editor writes are not read", () => {
  const doc = openDocument(1);
  const refs = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`n${index}`, "1:0"]));
  doc.getMap("structures").set("1:0", { ...version, scope: "[]", refs });
  expect(listVersions(doc)[0]?.refs).toBeUndefined();
});

test("empty texts count, so that not all of many full versions are read", () => {
  const doc = openDocument(1);
  const knows = Array.from({ length: 7_900 }, () => "");
  for (let index = 0; index < 20; index++)
    doc.getMap("structures").set(`1-${index}`, { ...version, scope: "[]", knows });
  expect(listVersions(doc).length).toBeLessThan(5);
});

test("rivals of many scopes whose names are given twice are found by one walk through the text", () => {
  const doc = openDocument(1);
  const source = doc.getText("source");
  for (let index = 0; index < 40; index++) {
    for (const letter of [1, 2])
      doc.getMap("names").set(`1:${letter * 10 + (index % 9)}`, { name: "o", written: "o", by: 1 });
    for (const side of [0, 1]) {
      const part = { start: { client: 1, clock: side }, end: { client: 1, clock: side } };
      doc
        .getMap("structures")
        .set(`${index}-${side}`, { ...version, scope: JSON.stringify(["o", String(index)]), parts: [part] });
    }
  }
  let walks = 0;
  const start = source._start;
  const get = () => {
    walks++;
    return start;
  };
  Object.defineProperty(source, "_start", { get });
  listRivalVersions(doc);
  expect(walks).toBeLessThanOrEqual(1);
});

test("many notes of deleted entries in one place are read in a moment, and the latest are", { timeout: 2_500 }, () => {
  const doc = openDocument(1);
  const source = doc.getText("source");
  const [count, items] = [600, 20_000];
  const start = Y.getState(doc.store, 1);
  doc.transact(() => source.insert(0, "f".repeat(count) + "l".repeat(count + 1)));
  doc.transact(() => {
    for (let index = 0; index < items; index++) source.insert(count, "x");
  });
  doc.transact(() => {
    source.delete(count + items, count + 1);
    source.delete(0, count);
  });
  const letter = (clock: number) => ({ client: 1, clock: start + clock });
  const known = { "1": start + 2 * count };
  for (let index = 0; index < count; index++) {
    const note = {
      end: letter(count + index),
      last: letter(count + index + 1),
      title: `t${index}`,
      known,
      number: index,
    };
    doc.getMap("deleted").set(`1:${start + index}`, note);
    doc
      .getMap("kept")
      .set(`kept ${index}`, { start: letter(9 * items + 2 * index), end: letter(9 * items + 2 * index) });
  }
  const lost = findLost(doc);
  expect(lost).toHaveLength(items);
  expect(new Set(lost.map(({ title }) => Number(title.slice(1)))).size).toBeLessThan(33);
  expect(lost.every(({ title }) => Number(title.slice(1)) >= count - 32)).toBe(true);
});

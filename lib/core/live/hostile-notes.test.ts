import { expect, test } from "vitest";
import * as Y from "yjs";
import { findLost } from "./deleted-entries";
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

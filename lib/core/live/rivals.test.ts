import { expect, it, test } from "vitest";
import * as Y from "yjs";
import { readText, seedDocument } from "./live-document";
import { findRivals, type Rivals } from "./rivals";

const seed = seedDocument({ source: "steps: 5\n", layout: { pins: {} } });
function open(): Y.Doc {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, seed);
  return doc;
}

/** What a document finds when it receives everything that another one has. */
function receive(doc: Y.Doc, other: Y.Doc): Rivals[] {
  const found: Rivals[] = [];
  const find = (transaction: Y.Transaction): void => void found.push(...findRivals(transaction));
  doc.on("afterTransaction", find);
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(other, Y.encodeStateVector(doc)));
  doc.off("afterTransaction", find);
  return found;
}

function write(doc: Y.Doc, start: number, length: number, insert: string): void {
  doc.transact(() => {
    doc.getText("source").delete(start, length);
    doc.getText("source").insert(start, insert);
  });
}

test("two values in the place of one are rivals, in the same order for both", () => {
  const [ann, bob] = [open(), open()];
  write(ann, 7, 1, "12");
  write(bob, 7, 1, "34");
  const [forAnn, forBob] = [receive(ann, bob), receive(bob, ann)];
  expect(readText(ann)).toBe(readText(bob));
  expect(forAnn).toEqual(forBob);
  expect(forAnn).toMatchObject([{ first: { from: 7, to: 9 }, second: { from: 9, to: 11 }, replaceSame: true }]);
  expect(forAnn.map(({ first, second }) => [first.text, second.text].toSorted())).toEqual([["12", "34"]]);
});

test("what was written next to a known text is no rival of it", () => {
  const [ann, bob] = [open(), open()];
  write(ann, 7, 1, "12");
  receive(bob, ann);
  write(bob, 9, 0, "3");
  write(bob, 7, 0, "4");
  expect(receive(ann, bob)).toEqual([]);
});

test("what replaces a known text is no rival of it", () => {
  const [ann, bob] = [open(), open()];
  write(ann, 7, 1, "12");
  receive(bob, ann);
  write(bob, 7, 2, "34");
  expect(receive(ann, bob)).toEqual([]);
});

it("finds insertions at one place of the text as rivals that replace nothing", () => {
  const [ann, bob] = [open(), open()];
  write(ann, 8, 0, " a");
  write(bob, 8, 0, " b");
  expect(receive(ann, bob)).toMatchObject([{ replaceSame: false }]);
});

test("what the other one knew is no part of a rival", () => {
  const [ann, bob] = [open(), open()];
  write(ann, 0, 0, "model: x\nrole: y\n");
  receive(bob, ann);
  write(ann, 7, 1, "12");
  write(bob, 7, 1, "34");
  for (const found of [receive(ann, bob), receive(bob, ann)])
    expect(found.map(({ first, second }) => [first.text, second.text].toSorted())).toEqual([["12", "34"]]);
});

it("holds all that a document wrote there, in whichever order", () => {
  const [ann, bob] = [open(), open()];
  write(ann, 7, 1, "15");
  write(ann, 8, 0, "3");
  write(ann, 7, 1, "2");
  write(bob, 7, 1, "46");
  for (const found of [receive(ann, bob), receive(bob, ann)])
    expect(found.map(({ first, second }) => [first.text, second.text].toSorted())).toEqual([["235", "46"]]);
});

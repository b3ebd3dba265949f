import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import * as Y from "yjs";
import { readText, seedDocument } from "./live-document";
import { isApartAt, writeSharedText } from "./shared-text";

const seed = seedDocument({ source: "a: it is\n", layout: { pins: {} } });
function open(): Y.Doc {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, seed);
  return doc;
}

function exchange(...docs: Y.Doc[]): void {
  for (const doc of docs)
    for (const other of docs) Y.applyUpdate(doc, Y.encodeStateAsUpdate(other, Y.encodeStateVector(doc)));
}

it("the same change by two people is made once, with what each typed in it", () => {
  const [ann, bob] = [open(), open()];
  for (const [doc, letter] of [
    [ann, "A"],
    [bob, "B"],
  ] as const) {
    writeSharedText(doc, [{ from: 3, to: 3, insert: "|-\n  " }]);
    doc.getText("source").insert(8, letter);
  }
  exchange(ann, bob);
  expect(readText(ann)).toBe(readText(bob));
  expect(readText(ann)).toMatch(/^a: \|-\n {2}(AB|BA)it is\n$/);
});

it("what was deleted can be inserted again", () => {
  const [ann, bob] = [open(), open()];
  const change = { from: 3, to: 3, insert: "|-\n  " };
  for (const doc of [ann, bob]) writeSharedText(doc, [change]);
  exchange(ann, bob);
  ann.getText("source").delete(3, 5);
  exchange(ann, bob);
  for (const doc of [ann, bob]) writeSharedText(doc, [change]);
  exchange(ann, bob);
  expect([ann, bob].map(readText)).toEqual(["a: |-\n  it is\n", "a: |-\n  it is\n"]);
});

test("a change in the middle of an insertion, and replacements, are made once", () => {
  const [ann, bob] = [open(), open()];
  const changes = [
    { from: 3, to: 5, insert: '"this' },
    { from: 8, to: 8, insert: '"' },
  ];
  for (const doc of [ann, bob]) writeSharedText(doc, changes);
  bob.getText("source").insert(4, "B");
  exchange(ann, bob);
  expect([ann, bob].map(readText)).toEqual(['a: "Bthis is"\n', 'a: "Bthis is"\n']);
});

it("leaves the places of later changes right", () => {
  const doc = open();
  const text = doc.getText("source");
  text.insert(7, "_");
  writeSharedText(doc, [{ from: 1, to: 1, insert: "[shared]" }]);
  text.insert(15, "!");
  expect(readText(doc)).toBe("a[shared]: it i!_s\n");
});

test("property: documents that know each other's changes have the same text, however letters were deleted between them", () => {
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const actions = ["type", "delete", "share", "share", "replace", "receive", "receive"] as const;
  const step = fc.record({
    person: fc.nat(2),
    action: fc.constantFrom(...actions),
    place,
    length: fc.nat(3),
    other: fc.nat(2),
  });
  const found = { place: 0, length: 0, other: 0 };
  const foundSteps: (typeof found & { person: number; action: (typeof actions)[number] })[] = [
    { ...found, person: 1, action: "delete", length: 3 },
    { ...found, person: 0, action: "replace", length: 3 },
    { ...found, person: 1, action: "type" },
    { ...found, person: 1, action: "share" },
    { ...found, person: 0, action: "type" },
  ];
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.constantFrom([1, 2, 3], [3, 1, 2]), (steps, clients) => {
      const docs = [open(), open(), open()];
      for (const [index, doc] of docs.entries()) doc.clientID = clients[index] ?? 0;
      for (const { person, action, place: part, length, other } of steps) {
        const [doc, from] = [docs[person] ?? open(), docs[other] ?? open()];
        const text = doc.getText("source");
        const start = Math.floor(part * (text.length + 1));
        const end = Math.min(text.length, start + length);
        if (action === "receive") Y.applyUpdate(doc, Y.encodeStateAsUpdate(from, Y.encodeStateVector(doc)));
        else if (action === "type") text.insert(start, "ABC"[person] ?? "");
        else if (action === "delete") text.delete(start, end - start);
        else writeSharedText(doc, [{ from: start, to: action === "replace" ? end : start, insert: "<s>" }]);
      }
      exchange(...docs);
      exchange(...docs);
      const late = open();
      for (const doc of docs.toReversed()) Y.applyUpdate(late, Y.encodeStateAsUpdate(doc));
      expect(new Set([...docs, late].map(readText)).size).toBe(1);
    }),
    {
      numRuns: 500,
      examples: [
        [foundSteps, [1, 2, 3]],
        [foundSteps, [3, 1, 2]],
      ],
    },
  );
});

test("property: the same change is made once by documents that show the same text, whatever each of them has deleted", () => {
  const edits = fc.array(fc.tuple(fc.nat(8), fc.string({ minLength: 1, maxLength: 2 })), { maxLength: 6 });
  fc.assert(
    fc.property(edits, edits, fc.nat(8), (first, second, place) => {
      const docs = [open(), open()];
      // What each types and takes out again unseen.
      for (const [doc, list] of [
        [docs[0], first],
        [docs[1], second],
      ] as const)
        for (const [offset, letters] of list) {
          doc?.getText("source").insert(offset, letters);
          doc?.getText("source").delete(offset, letters.length);
        }
      for (const doc of docs) writeSharedText(doc, [{ from: place, to: place, insert: "<s>" }]);
      exchange(...docs);
      for (const doc of docs)
        expect(readText(doc)).toBe(`${"a: it is\n".slice(0, place)}<s>${"a: it is\n".slice(place)}`);
    }),
  );
});

describe("letters that came apart", () => {
  it("were one insertion, in which someone else wrote", () => {
    const [ann, bob] = [open(), open()];
    ann.getText("source").insert(3, "\\");
    ann.getText("source").insert(4, "n");
    exchange(ann, bob);
    expect(isApartAt(ann, 4)).toBe(false);
    ann.getText("source").delete(4, 1);
    bob.getText("source").insert(5, "x");
    exchange(ann, bob);
    for (const doc of [ann, bob]) {
      expect(readText(doc)).toBe("a: \\xit is\n");
      expect(isApartAt(doc, 4)).toBe(true);
    }
  });

  it("are not those of someone who types before a letter, also where others deleted", () => {
    const [ann, bob] = [open(), open()];
    bob.getText("source").delete(3, 2);
    exchange(ann, bob);
    ann.getText("source").insert(3, "\\");
    expect(readText(ann)).toBe("a: \\ is\n");
    expect(isApartAt(ann, 4)).toBe(false);
    expect([0, 1, 2, 6, 100].map((offset) => isApartAt(ann, offset))).toEqual([false, false, false, false, false]);
  });

  it("are not those of which both were typed after the same letter, and one is deleted", () => {
    const [ann, bob] = [open(), open()];
    [ann.clientID, bob.clientID] = [1, 2];
    ann.getText("source").insert(3, "A");
    bob.getText("source").insert(3, "B");
    exchange(ann, bob);
    expect(readText(ann)).toBe("a: ABit is\n");
    ann.getText("source").delete(3, 1);
    exchange(ann, bob);
    for (const doc of [ann, bob]) expect(isApartAt(doc, 3)).toBe(false);
  });

  it("are those between which a letter was typed and deleted", () => {
    const doc = open();
    doc.getText("source").insert(3, "\\");
    expect(isApartAt(doc, 4)).toBe(false);
    doc.getText("source").insert(4, "n");
    doc.getText("source").delete(4, 1);
    expect(readText(doc)).toBe("a: \\it is\n");
    expect(isApartAt(doc, 4)).toBe(true);
  });

  it("are not those of someone who typed before letters that others deleted afterwards", () => {
    const [ann, bob] = [open(), open()];
    ann.getText("source").insert(3, "\\");
    bob.getText("source").delete(3, 2);
    exchange(ann, bob);
    for (const doc of [ann, bob]) {
      expect(readText(doc)).toBe("a: \\ is\n");
      expect(isApartAt(doc, 4)).toBe(false);
    }
  });
});

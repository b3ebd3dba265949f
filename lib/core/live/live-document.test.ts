import fc from "fast-check";
import { describe, expect, it, test, vi } from "vitest";
import * as Y from "yjs";
import type { Layout } from "../flow/edit";
import type { Note } from "../flow/note";
import { applyChanges, toMinimalChange } from "../flow/text-change";
import { diffTexts } from "./diff-texts";
import {
  followText,
  readLayout,
  readText,
  readTextsBefore,
  readWholeText,
  seedDocument,
  watchDocument,
  writeLayout,
  writeText,
} from "./live-document";

const note: Note = { x: 0, y: 0, width: 200, height: 100, text: "a note", color: "yellow" };
const layout: Layout = {
  pins: { a: { dx: 1, dy: 2 } },
  direction: "down",
  notes: { note, note_2: { ...note, text: "" } },
  folded: ["g"],
  fit: { density: "compact", wrap: 900 },
};

/** A copy of a document, as a client or another process has it. */
function open(update: Uint8Array): Y.Doc {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, update);
  return doc;
}

function exchange(...docs: Y.Doc[]): void {
  for (const from of docs)
    for (const to of docs) Y.applyUpdate(to, Y.encodeStateAsUpdate(from, Y.encodeStateVector(to)));
}

function type(doc: Y.Doc, next: string): void {
  const text = readText(doc);
  const change = toMinimalChange(text, next);
  if (change) doc.transact(() => writeText(doc, text, [change]));
}

test("a seeded document holds the flow", () => {
  const doc = open(seedDocument({ source: "name: x\n", layout }));
  expect(readText(doc)).toBe("name: x\n");
  expect(readLayout(doc)).toEqual(layout);
});

test("two people who edit different fields of one agent get both", () => {
  const seed = seedDocument({ source: 'a: { model: "m", max_steps: 5 }\n', layout: { pins: {} } });
  const [ann, bob] = [open(seed), open(seed)];
  type(ann, 'a: { model: "other", max_steps: 5 }\n');
  type(bob, 'a: { model: "m", max_steps: 9 }\n');
  exchange(ann, bob);
  expect(readText(ann)).toBe('a: { model: "other", max_steps: 9 }\n');
  expect(readText(bob)).toBe(readText(ann));
});

test("two people who move and write one note get both", () => {
  const seed = seedDocument({ source: "", layout });
  const [ann, bob] = [open(seed), open(seed)];
  writeLayout(ann, layout, { ...layout, notes: { ...layout.notes, note: { ...note, x: 70 } } });
  writeLayout(bob, layout, { ...layout, notes: { ...layout.notes, note: { ...note, text: "a long note" } } });
  exchange(ann, bob);
  expect(readLayout(ann).notes?.note).toEqual({ ...note, x: 70, text: "a long note" });
  expect(readLayout(bob)).toEqual(readLayout(ann));
});

/** Writes a note, or deletes it. */
function setNote(doc: Y.Doc, text: string | null): void {
  const before = readLayout(doc);
  const { note: _, ...others } = before.notes ?? {};
  const next = { ...before, notes: text === null ? others : { ...others, note: { ...note, text } } };
  doc.transact(() => writeLayout(doc, before, next));
}
const readNote = (doc: Y.Doc): string | undefined => readLayout(doc).notes?.note?.text;

describe("a note that someone deletes", () => {
  const openTwo = (): [Y.Doc, Y.Doc] => {
    const seed = seedDocument({ source: "", layout });
    return [open(seed), open(seed)];
  };

  it("stays for all where someone else writes in it meanwhile", () => {
    const [ann, bob] = openTwo();
    setNote(ann, null);
    expect(readNote(ann)).toBeUndefined();
    setNote(bob, "a long note");
    exchange(ann, bob);
    expect([readNote(ann), readNote(bob)]).toEqual(["a long note", "a long note"]);
    setNote(ann, null);
    exchange(ann, bob);
    expect([readNote(ann), readNote(bob)]).toEqual([undefined, undefined]);
  });

  it("is deleted for one who moves it meanwhile", () => {
    const [ann, bob] = openTwo();
    setNote(ann, null);
    writeLayout(bob, layout, { ...layout, notes: { ...layout.notes, note: { ...note, x: 70 } } });
    exchange(ann, bob);
    expect([readNote(ann), readNote(bob)]).toEqual([undefined, undefined]);
  });

  it("comes back as the same note: what two people write in it then is merged", () => {
    const [ann, bob] = openTwo();
    setNote(ann, null);
    exchange(ann, bob);
    setNote(ann, "a note w1");
    setNote(bob, "w2 a note");
    exchange(ann, bob);
    expect([readNote(ann), readNote(bob)]).toEqual(["w2 a note w1", "w2 a note w1"]);
  });

  it("leaves little in the document", () => {
    const doc = new Y.Doc();
    const notes = (id: number): Layout => ({ pins: {}, notes: { [`note_${id}`]: note } });
    for (let id = 0; id < 1_000; id++) {
      doc.transact(() => writeLayout(doc, { pins: {} }, notes(id)));
      doc.transact(() => writeLayout(doc, notes(id), { pins: {} }));
    }
    expect(doc.getMap("notes").size).toBeLessThan(300);
    expect(readLayout(doc)).toEqual({ pins: {} });
  });
});

test("words that two people write in one note, each at several places, are merged", () => {
  const text = "one two three four five";
  const seed = seedDocument({ source: "", layout: { pins: {}, notes: { note: { ...note, text } } } });
  const [ann, bob] = [open(seed), open(seed)];
  setNote(ann, "one\ntwo three\nfour five".replaceAll("\n", " w1 "));
  setNote(bob, "one two w2 three four five");
  exchange(ann, bob);
  expect([readNote(ann), readNote(bob)]).toEqual(Array(2).fill("one w1 two w2 three w1 four five"));
});

test("entries that no flow may have are left out", () => {
  const doc = open(seedDocument({ source: "", layout }));
  doc.getMap("pins").set("b", { dx: "far" });
  doc.getMap("notes").set("no id!", 5);
  doc.getMap("settings").set("direction", "sideways");
  const { direction: _, fit: __, ...others } = layout;
  expect(readLayout(doc)).toEqual(others);
});

test("new notes are in the order of their numbers, and what is no note is not compared", () => {
  const doc = new Y.Doc();
  const notes = doc.getMap("notes");
  doc.transact(() => {
    for (let index = 0; index < 1_000; index++) notes.set(`other_${index}`, index);
    writeLayout(doc, { pins: {} }, { pins: {}, notes: { note_10: note, note_9: note, note } });
  });
  const compare = vi.spyOn(String.prototype, "localeCompare");
  expect(Object.keys(readLayout(doc, { pins: {}, notes: { note_10: note } }).notes ?? {})).toEqual([
    "note_10",
    "note",
    "note_9",
  ]);
  expect(compare.mock.calls.length).toBeLessThan(10);
  compare.mockRestore();
});

describe("texts with characters of two units", () => {
  it.each([
    ["a😀b", "a😁b"],
    ["😀", "x😀"],
    ["😀😁", "😀"],
    ["a😀", "a"],
  ])("%s becomes %s, also elsewhere", (before, after) => {
    const seed = seedDocument({ source: before, layout: { pins: {} } });
    const [ann, bob] = [open(seed), open(seed)];
    type(ann, after);
    exchange(ann, bob);
    expect([readText(ann), readText(bob)]).toEqual([after, after]);
  });
});

test("a line that was added is the change, wherever lines like it are", () => {
  expect(diffTexts("a\nb\n", "new\na\nb\nlast\n")).toEqual([
    { from: 0, to: 0, insert: "new\n" },
    { from: 4, to: 4, insert: "last\n" },
  ]);
  expect(diffTexts("a: 1\nb: 2\n", "a: 15\nb: 3\n")).toEqual([
    { from: 4, to: 4, insert: "5" },
    { from: 8, to: 9, insert: "3" },
  ]);
});

const anyLine = fc.constantFrom("a: 1\n", "b: 2\n", "  😀\n", "c\n", "");
const anyText = fc.array(anyLine, { maxLength: 8 }).map((lines) => lines.join(""));

it("property: the changes between two texts lead from one to the other", () => {
  fc.assert(
    fc.property(anyText, anyText, (before, after) => {
      expect(applyChanges(before, diffTexts(before, after))).toBe(after);
    }),
    { numRuns: 1000 },
  );
});

it("property: three people who edit, cut off and together again, end with the same bytes, and no insertion is lost", () => {
  const anyStep = fc.oneof(
    fc.record({ type: fc.constant("insert" as const), who: fc.nat(2), at: fc.nat(100) }),
    fc.record({ type: fc.constant("delete" as const), who: fc.nat(2), at: fc.nat(100) }),
    fc.record({ type: fc.constant("move" as const), who: fc.nat(2), at: fc.nat(3) }),
    fc.record({ type: fc.constant("meet" as const), who: fc.nat(2), at: fc.nat(2) }),
  );
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
      const seed = seedDocument({ source: "old old old 😀 old\n", layout });
      const docs = [open(seed), open(seed), open(seed)];
      const texts = docs.map(readText);
      docs.forEach((doc, index) => {
        watchDocument(doc, (change) => {
          texts[index] = followText(texts[index] ?? "", change);
        });
      });
      let inserted = 0;
      steps.forEach(({ type: kind, who, at }) => {
        const doc = docs[who];
        if (!doc) return;
        const text = readText(doc);
        if (kind === "insert") {
          // Nobody types inside of a character.
          const offset = at % (text.length + 1) === text.indexOf("😀") + 1 ? 0 : at % (text.length + 1);
          doc.transact(() => writeText(doc, text, [{ from: offset, to: offset, insert: `<${inserted++}>` }]));
        } else if (kind === "delete") {
          // Only what was there at the beginning.
          const offset = text.indexOf("old", at % (text.length + 1));
          if (offset >= 0) doc.transact(() => writeText(doc, text, [{ from: offset, to: offset + 3, insert: "" }]));
        } else if (kind === "move") {
          const now = readLayout(doc);
          doc.transact(() => writeLayout(doc, now, { ...now, pins: { ...now.pins, [`p${at}`]: { dx: who, dy: at } } }));
        } else {
          const other = docs[at];
          if (other && other !== doc) exchange(doc, other);
        }
      });
      exchange(...docs);
      exchange(...docs);
      const [first, ...others] = docs;
      if (!first) return;
      for (const doc of others) {
        expect(readText(doc)).toBe(readText(first));
        expect(readLayout(doc)).toEqual(readLayout(first));
      }
      expect(texts).toEqual(docs.map(readText));
      // An insertion may be split by another, but none of its characters is gone.
      const digits = (text: string): string =>
        [...text]
          .filter((letter) => /[<\d>]/.test(letter))
          .toSorted()
          .join("");
      const all = Array.from({ length: inserted }, (_, index) => `<${index}>`).join("");
      expect(digits(readText(first))).toBe(digits(all));
    }),
    { numRuns: 300 },
  );
});

it("reads the text of an update only where it is the whole document", () => {
  const doc = open(seedDocument({ source: "name: A\n", layout: { pins: {} } }));
  const vector = Y.encodeStateVector(doc);
  doc.getText("source").insert(7, "nn");
  expect(readWholeText(Y.encodeStateAsUpdate(doc))).toBe("name: Ann\n");
  expect(readWholeText(Y.encodeStateAsUpdate(doc, vector))).toBeNull();
  expect(readWholeText(Y.encodeStateAsUpdate(doc, Y.encodeStateVector(doc)))).toBeNull();
});

it("the text of a document without what an id wrote from a clock on", () => {
  const doc = open(seedDocument({ source: "Begin", layout: { pins: {} } }));
  doc.clientID = 7;
  const text = doc.getText("source");
  text.insert(5, " mine");
  text.delete(0, 1);
  text.insert(0, "X");
  const update = Y.encodeStateAsUpdate(doc);
  const ends = [new Map(), new Map([[7, 3]]), new Map([[7, 0]])];
  expect(readTextsBefore(update, ends).map(({ source }) => source)).toEqual(["Xegin mine", "egin mi", "egin"]);
});

test("the notes of a document without what an id wrote from a clock on", () => {
  const doc = open(seedDocument({ source: "", layout }));
  doc.clientID = 7;
  const clocks = ["a note w1", null].map((text) => {
    setNote(doc, text);
    return Y.getState(doc.store, 7);
  });
  const update = Y.encodeStateAsUpdate(doc);
  const ends = [0, ...clocks].map((clock) => new Map([[7, clock]]));
  const texts = readTextsBefore(update, ends).map(({ notes }) => notes.note?.text);
  expect(texts).toEqual(["a note", "a note w1", undefined]);
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeEdits } from "../history/describe-edits";
import { applyEdit } from "../source/apply-edit";
import { readSource } from "../source/read-source";
import { type Edit, emptyLayout, type Layout, renamePins, sameLayout } from "./edit";
import { findNote, fitNote, listNotes, type Note, noteColors, noteLimits, titleOfNote } from "./note";
import { layoutSchema } from "./schemas/layout-schema";

const note: Note = { x: 10, y: -20, width: 220, height: 120, text: "Ask Ann first", color: "yellow" };
const withNotes = (notes: Record<string, Note>): Layout => ({ ...emptyLayout, notes });

const anyNote: fc.Arbitrary<Note> = fc.record({
  x: fc.integer({ min: -5000, max: 5000 }),
  y: fc.integer({ min: -5000, max: 5000 }),
  width: fc.integer({ min: noteLimits.width.least, max: noteLimits.width.most }),
  height: fc.integer({ min: noteLimits.height.least, max: noteLimits.height.most }),
  text: fc.string({ maxLength: 80 }),
  color: fc.constantFrom(...noteColors),
});

function edit(layout: Layout, ...edits: Edit[]): Layout | string {
  let current = layout;
  for (const one of edits) {
    const result = applyEdit(readSource("agents: [\n"), current, one);
    if (!result.ok) return `${result.problem.code}: ${result.problem.message}`;
    expect(result.changes).toEqual([]);
    current = result.layout;
  }
  return current;
}

const refusal = (value: unknown): string => {
  const [issue] = layoutSchema.safeParse(value).error?.issues ?? [];
  return issue ? `${issue.path.join(".")}: ${issue.message}` : "fine";
};

describe("notes in a layout", () => {
  it("are read within their limits, and old layouts have none", () => {
    expect(layoutSchema.parse({ pins: {} })).toEqual(emptyLayout);
    expect(layoutSchema.parse(withNotes({ a: note }))).toEqual(withNotes({ a: note }));
    expect(refusal(withNotes({ a: { ...note, text: "x".repeat(noteLimits.text + 1) } }))).toMatch(
      /^notes\.a\.text: expected a note of at most 4000 characters/,
    );
    expect(refusal({ pins: {}, notes: { a: { ...note, html: "<b>" } } })).toMatch(/^notes\.a: .*html/);
    expect(refusal({ pins: {}, notes: { a: { ...note, color: "red" } } })).toMatch(/^notes\.a\.color: /);
    expect(refusal({ pins: {}, notes: { a: { ...note, width: 3 } } })).toMatch(/^notes\.a\.width: .*80/);
    expect(refusal({ pins: {}, notes: { a: { ...note, x: Number.POSITIVE_INFINITY } } })).toMatch(/^notes\.a\.x: /);
    expect(refusal({ pins: {}, notes: { "a b": note } })).toMatch(/^notes\.a b: .*(id|key)/i);
    const many = Object.fromEntries(Array.from({ length: noteLimits.count + 1 }, (_, i) => [`n${i}`, note]));
    expect(refusal({ pins: {}, notes: many })).toBe("notes: expected at most 200 notes: remove some of them");
  });

  it("stay when a name changes", () => {
    expect(renamePins(withNotes({ a: note }), "a", "b")).toEqual(withNotes({ a: note }));
  });

  it("distinguish layouts", () => {
    expect(sameLayout(emptyLayout, { pins: {}, notes: {} })).toBe(true);
    expect(sameLayout(emptyLayout, { pins: {}, direction: "right" })).toBe(false);
    expect(sameLayout({ pins: {}, fit: { wrap: 5 } }, emptyLayout)).toBe(false);
    expect(sameLayout({ pins: {}, fit: { wrap: 5 } }, { pins: {}, fit: { wrap: 5 } })).toBe(true);
    expect(sameLayout(emptyLayout, withNotes({ a: note }))).toBe(false);
    expect(sameLayout(withNotes({ a: note }), withNotes({ a: { ...note } }))).toBe(true);
    expect(sameLayout(withNotes({ a: note }), withNotes({ a: { ...note, text: "" } }))).toBe(false);
    expect(sameLayout(withNotes({ a: note }), withNotes({ constructor: note }))).toBe(false);
    expect(sameLayout({ pins: {}, direction: "down" }, emptyLayout)).toBe(false);
    expect(sameLayout({ pins: { a: { dx: 1, dy: 2 } } }, { pins: { a: { dx: 1, dy: 3 } } })).toBe(false);
  });
});

describe("edits of notes", () => {
  it("add, change and remove, whatever the text is", () => {
    const added = edit(emptyLayout, { type: "add-note", id: "a", note });
    expect(added).toEqual(withNotes({ a: note }));
    const change = { x: 5, y: 6, text: "Now\nthen" };
    expect(edit(withNotes({ a: note, b: note }), { type: "change-note", id: "a", change })).toEqual(
      withNotes({ a: { ...note, ...change }, b: note }),
    );
    expect(edit(withNotes({ a: note, b: note }), { type: "remove-note", id: "a" })).toEqual(withNotes({ b: note }));
  });

  it("are refused for an unknown note and beyond the limit", () => {
    expect(edit(emptyLayout, { type: "change-note", id: "constructor", change: { x: 1 } })).toMatch(/^unknown-name: /);
    expect(edit(emptyLayout, { type: "remove-note", id: "a" })).toMatch(/not on the canvas any more/);
    expect(edit(withNotes({ a: note }), { type: "add-note", id: "a", note })).toMatch(/^name-taken: /);
    const full = Object.fromEntries(Array.from({ length: noteLimits.count }, (_, i) => [`n${i}`, note]));
    expect(edit(withNotes(full), { type: "add-note", id: "a", note })).toMatch(/at most 200 notes. Delete some/);
  });

  it("are described by their effect", () => {
    const change = (fields: Partial<Note>): Edit => ({ type: "change-note", id: "a", change: fields });
    expect(describeEdits([{ type: "add-note", id: "a", note }]).done).toBe("Added a note");
    expect(describeEdits([change({ x: 1, y: 2 })]).name).toBe("move");
    expect(describeEdits([change({ width: 100 })]).done).toBe("Resized a note");
    expect(describeEdits([change({ color: "pink" })]).done).toBe("Made a note pink");
    expect(describeEdits([change({ text: "x" })]).done).toBe("Changed a note");
    const remove: Edit = { type: "remove-note", id: "a" };
    const nodes: Edit = { type: "delete-nodes", scope: { type: "root" }, names: ["x"], declarations: true };
    expect(describeEdits([remove, { ...remove, id: "b" }]).done).toBe("Deleted 2 notes");
    expect(describeEdits([nodes, remove]).done).toBe("Deleted x and a note");
  });
});

describe("a note", () => {
  it("property: a fitted note is valid in a layout", () => {
    const wild = fc.double({ min: -1e9, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(anyNote, wild, wild, wild, wild, (one, x, y, width, height) => {
        const fitted = fitNote({ ...one, x, y, width, height });
        expect(refusal(withNotes({ a: fitted }))).toBe("fine");
      }),
    );
    expect(fitNote({ width: 5 })).toEqual({ width: noteLimits.width.least });
  });

  it("is found by its key, which no node has", () => {
    const notes = { a: note, b: { ...note, text: "b" } };
    expect(listNotes(notes)).toBe(listNotes(notes));
    expect(listNotes(notes).map(({ key }) => findNote(notes, key)?.text)).toEqual([note.text, "b"]);
    expect(findNote(notes, "a")).toBeUndefined();
  });

  it("is titled by its first words", () => {
    expect(titleOfNote({ text: " \n" })).toBe("empty");
    expect(titleOfNote({ text: "One\n  two" })).toBe("One two");
    expect(titleOfNote({ text: "word ".repeat(40) })).toMatch(/^word .{40,}…$/);
  });
});

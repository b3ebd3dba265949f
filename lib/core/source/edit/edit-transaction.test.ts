import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyLayout } from "../../flow/edit";
import { applyChanges } from "../../flow/text-change";
import type { TextChange } from "../../flow/text-range";
import { readSource } from "../read-source";
import { EditTransaction } from "./edit-transaction";

const start = "name: Test\nagents:\n  a: {}\n  b: {}\n";
const begin = (text = start) => new EditTransaction(readSource(text), emptyLayout);
const insert = (at: number, text: string): TextChange => ({ from: at, to: at, insert: text });
const cut = (from: number, to: number): TextChange => ({ from, to, insert: "" });

describe("a transaction", () => {
  it.each<[string, TextChange[][], TextChange[]]>([
    ["nothing", [], []],
    ["an empty step", [[]], []],
    ["a text that comes and goes again", [[insert(4, "abc")], [cut(4, 7)]], []],
    ["a part of a new text that goes again", [[insert(4, "abc")], [cut(5, 6)]], [insert(4, "ac")]],
    ["a new text inside a new text", [[insert(4, "ad")], [insert(5, "bc")]], [insert(4, "abcd")]],
    ["neighbours that go one after another", [[cut(4, 6)], [cut(4, 6)]], [cut(4, 8)]],
    ["what surrounds a new text going with it", [[insert(4, "abc")], [cut(2, 9)]], [cut(2, 6)]],
    ["two places in one step", [[insert(4, "a"), insert(8, "b")]], [insert(4, "a"), insert(8, "b")]],
    ["two places in one step, the later one first", [[cut(8, 9), cut(2, 3)]], [cut(2, 3), cut(8, 9)]],
    ["a place before an earlier change", [[insert(8, "b")], [insert(2, "a")]], [insert(2, "a"), insert(8, "b")]],
    [
      "the start and the end",
      [[insert(start.length, "z")], [insert(0, "a")]],
      [insert(0, "a"), insert(start.length, "z")],
    ],
    [
      "everything replaced",
      [[{ from: 0, to: start.length, insert: "x" }]],
      [{ from: 0, to: start.length, insert: "x" }],
    ],
  ])("puts together %s", (_, steps, changes) => {
    const transaction = begin();
    for (const step of steps) transaction.apply(step);
    expect(transaction.changes(start)).toEqual(changes);
  });

  it("property: its changes of the first text lead to the last one, in order and apart from each other", () => {
    const anyStep = fc.record({
      at: fc.nat(1000),
      length: fc.nat(6),
      insert: fc.constantFrom("", "x", "yz", "\n", "é"),
    });
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 12 }), (steps) => {
        const transaction = begin();
        let text = start;
        for (const { at, length, insert: inserted } of steps) {
          const position = at % (text.length + 1);
          const change = { from: position, to: Math.min(text.length, position + length), insert: inserted };
          transaction.apply([change]);
          text = applyChanges(text, [change]);
        }
        const changes = transaction.changes(start);
        expect(applyChanges(start, changes)).toBe(text);
        for (const [index, change] of changes.entries()) {
          const previous = changes[index - 1];
          if (previous) expect(change.from).toBeGreaterThan(previous.to);
          expect(change.to > change.from || change.insert !== "").toBe(true);
        }
      }),
    );
  });

  it("reads the current text when asked, and the same document while nothing changed", () => {
    const transaction = begin();
    const { document } = transaction;
    expect(transaction.document).toBe(document);
    transaction.apply([insert(start.length, "  c: {}\n")]);
    expect([...transaction.document.flow.agents.keys()]).toEqual(["a", "b", "c"]);
    expect(transaction.editor.text).toBe(`${start}  c: {}\n`);
  });

  it("refuses changes that overlap or leave the text", () => {
    expect(() => begin().apply([cut(2, 6), cut(4, 8)])).toThrow(/overlap/);
    expect(() => begin().apply([cut(0, start.length + 1)])).toThrow(/leave the text/);
  });
});

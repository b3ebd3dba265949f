import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Layout } from "../flow/edit";
import {
  burstMs,
  emptyHistory,
  type History,
  type Moment,
  maxHistoryEntries,
  recordEntry,
  redoEntry,
  undoEntry,
} from "./history";

const moment = (text: string, pins: Layout["pins"] = {}): Moment => ({ text, layout: { pins }, selection: [text] });
const step = (at = 0) => ({ typing: false, at });
const type = (at: number, key?: string) => ({ typing: true, at, ...(key === undefined ? {} : { key }) });

/** Undoes as long as it goes; every moment on the way. */
function undoAll(history: History, now: Moment): { history: History; seen: Moment[] } {
  const seen = [now];
  let at = { history, moment: now };
  for (let next = undoEntry(history, now); next; next = undoEntry(at.history, at.moment)) {
    at = next;
    seen.push(next.moment);
  }
  return { history: at.history, seen };
}

describe("history", () => {
  it("has nothing to undo or redo at first", () => {
    expect(emptyHistory.canUndo).toBe(false);
    expect(undoEntry(emptyHistory, moment("a"))).toBeNull();
    expect(redoEntry(emptyHistory, moment("a"))).toBeNull();
  });

  it("undoes and redoes text, layout and selection", () => {
    const [before, after] = [moment("one", { a: { dx: 1, dy: 2 } }), moment("two", { a: { dx: 3, dy: 4 } })];
    const undone = undoEntry(recordEntry(emptyHistory, before, step()), after);
    expect(undone?.moment).toEqual(before);
    const redone = undone && redoEntry(undone.history, undone.moment);
    expect(redone?.moment).toEqual(after);
    expect(redone?.history.canRedo).toBe(false);
  });

  it("undoes an entry of the layout alone", () => {
    const [before, after] = [moment("same"), moment("same", { a: { dx: 1, dy: 1 } })];
    expect(undoEntry(recordEntry(emptyHistory, before, step()), after)?.moment).toEqual(before);
  });

  it("discards undone entries when a new one is recorded", () => {
    const undone = undoEntry(recordEntry(emptyHistory, moment("a"), step()), moment("b"));
    const history = undone && recordEntry(undone.history, undone.moment, step());
    expect(history?.canRedo).toBe(false);
    expect(history && undoEntry(history, moment("c"))?.moment.text).toBe("a");
  });

  it.each([
    ["typing without a pause is one step", [type(0), type(burstMs - 1)], ["", "start"]],
    ["a pause ends the burst", [type(0), type(burstMs)], ["", "middle", "start"]],
    ["another key is another burst", [type(0, "x"), type(1, "y")], ["", "middle", "start"]],
    ["an edit is a step of its own", [type(0), step(1)], ["", "middle", "start"]],
    ["typing after an edit is too", [step(0), type(1)], ["", "middle", "start"]],
    ["a clock that was set back joins nothing", [type(1000), type(10)], ["", "middle", "start"]],
  ])("%s", (_, [first, second], expected) => {
    if (!first || !second) throw new Error("two steps are needed");
    const history = recordEntry(recordEntry(emptyHistory, moment("start"), first), moment("middle"), second);
    expect(undoAll(history, moment("")).seen.map(({ text }) => text)).toEqual(expected);
  });

  it("ends a burst at an undo", () => {
    const undone = undoEntry(recordEntry(emptyHistory, moment("a"), type(0)), moment("ab"));
    const history = undone && recordEntry(undone.history, undone.moment, type(1));
    expect(history && undoAll(history, moment("ac")).seen.map(({ text }) => text)).toEqual(["ac", "a"]);
  });

  it("records no entry for typing that was reverted at once", () => {
    const start = moment("a");
    const typed = recordEntry(recordEntry(emptyHistory, start, type(0)), { ...start, text: "ab" }, type(1));
    const undone = undoEntry(typed, start);
    expect(undone?.moment).toEqual(start);
    expect(undone?.history.canUndo || undone?.history.canRedo).toBe(false);
  });

  it(`keeps the newest ${maxHistoryEntries} entries`, () => {
    let history = emptyHistory;
    for (let i = 0; i < maxHistoryEntries + 20; i++) history = recordEntry(history, moment(String(i)), step(i));
    const { seen } = undoAll(history, moment("end"));
    expect(seen).toHaveLength(maxHistoryEntries + 1);
    expect(seen.at(-1)?.text).toBe("20");
  });

  it("keeps changes, not whole texts", () => {
    const text = "x".repeat(100_000);
    const first = recordEntry(emptyHistory, moment(text), step());
    const second = recordEntry(first, moment(`${text}y`), step(1));
    expect(JSON.stringify(second.past[0]?.changes)).toBe('[{"from":100000,"to":100000,"insert":"y"}]');
  });

  it("undoes and redoes any texts, to the byte", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 30 }), { minLength: 1 }), (texts) => {
        const moments = texts.filter((text, index) => text !== texts[index - 1]).map((text) => moment(text));
        const last = moments.at(-1);
        if (!last) return;
        const history = moments
          .slice(0, -1)
          .reduce((past, before, at) => recordEntry(past, before, step(at)), emptyHistory);
        const { history: undone, seen } = undoAll(history, last);
        expect(seen.toReversed()).toEqual(moments);
        let at = { history: undone, moment: seen.at(-1) ?? last };
        for (const expected of moments.slice(1)) {
          const next = redoEntry(at.history, at.moment);
          expect(next?.moment).toEqual(expected);
          if (next) at = next;
        }
        expect(at.history.canRedo).toBe(false);
      }),
    );
  });
});

import { describe, expect, it } from "vitest";
import { emptyLayout } from "../flow/edit";
import {
  emptyHistory,
  type History,
  type Moment,
  maxHistoryEntries,
  recordEntry,
  redoEntry,
  undoEntry,
} from "./history";
import { fromHistoryRecord, storedLimits, toHistoryRecord } from "./history-record";

const moment = (text: string): Moment => ({ text, layout: emptyLayout, selection: [] });
const step = { typing: false, at: 0 };

/** A history of texts, and the moment at its end. */
function write(texts: readonly string[]): { history: History; now: Moment } {
  let history = emptyHistory;
  for (const text of texts.slice(0, -1)) history = recordEntry(history, moment(text), step);
  return { history, now: moment(texts.at(-1) ?? "") };
}

/** Every text on the way back. */
function textsBack(history: History, now: Moment): string[] {
  const undone = undoEntry(history, now);
  return undone ? [now.text, ...textsBack(undone.history, undone.moment)] : [now.text];
}

/** As it comes back from a store. */
const reopen = (history: History, now: Moment, then: Moment = now): History | null =>
  fromHistoryRecord(structuredClone(toHistoryRecord(history, now)), then);

describe("a stored history", () => {
  it("undoes and redoes the same entries after it is restored, including the newest", () => {
    const { history, now } = write(["one", "one two", "two", "two three"]);
    const again = reopen(history, now);
    expect(again && textsBack(again, now)).toEqual(["two three", "two", "one two", "one"]);
    const undone = undoEntry(history, now);
    const half = undone && reopen(undone.history, undone.moment);
    expect(half && undone && redoEntry(half, undone.moment)?.moment.text).toBe("two three");
  });

  it("is discarded when the text or the layout differs", () => {
    const { history, now } = write(["a", "b"]);
    expect(reopen(history, now, moment("c"))).toBeNull();
    expect(reopen(history, now, { ...now, layout: { pins: { x: { dx: 1, dy: 1 } } } })).toBeNull();
  });

  it("restores notes, and is discarded when they differ", () => {
    const note = { x: 0, y: 0, width: 200, height: 100, text: "Why", color: "blue" } as const;
    const now: Moment = { text: "a", layout: { pins: {}, notes: { n: note } }, selection: [] };
    const history = recordEntry(emptyHistory, { ...now, layout: emptyLayout }, step);
    const again = reopen(history, now);
    const undone = again && undoEntry(again, now);
    expect(undone?.moment.layout).toEqual(emptyLayout);
    expect(undone && redoEntry(undone.history, undone.moment)?.moment.layout).toEqual(now.layout);
    expect(reopen(history, now, { ...now, layout: { pins: {}, notes: { n: { ...note, text: "" } } } })).toBeNull();
    expect(reopen(history, now, { ...now, layout: { ...now.layout, direction: "down" } })).toBeNull();
  });

  it("remains small with long notes", () => {
    let history = emptyHistory;
    const at = (text: string): Moment => ({
      text: "a",
      layout: { pins: {}, notes: { n: { x: 0, y: 0, width: 200, height: 100, text, color: "blue" } } },
      selection: [],
    });
    for (let i = 0; i < 300; i++) history = recordEntry(history, at(`${i}`.repeat(1000)), step);
    expect(toHistoryRecord(history, at("end")).past.length).toBeLessThan(300);
  });

  it("is discarded when it is inconsistent", () => {
    const { history, now } = write(["abc", "abcdef"]);
    const record = toHistoryRecord(history, now);
    expect(fromHistoryRecord({ ...record, version: 2 }, now)).toBeNull();
    expect(fromHistoryRecord("nonsense", now)).toBeNull();
    const far = record.past.map((one) => ({ ...one, inverse: [{ from: 90, to: 99, insert: "" }] }));
    expect(fromHistoryRecord({ ...record, past: far }, now)).toBeNull();
    const wrong = record.past.map((one) => ({ ...one, inverse: [{ from: 0, to: 3, insert: "" }] }));
    expect(fromHistoryRecord({ ...record, past: wrong }, now)).toBeNull();
  });

  it("keeps at least 200 entries, the newest, and remains small", () => {
    expect([maxHistoryEntries >= 200, storedLimits.steps >= 200]).toEqual([true, true]);
    const many = write(Array.from({ length: 450 }, (_, i) => `text ${i}`));
    const kept = toHistoryRecord(many.history, many.now);
    expect(kept.past).toHaveLength(storedLimits.steps);
    const again = reopen(many.history, many.now);
    expect(again && textsBack(again, many.now).at(-1)).toBe(`text ${449 - storedLimits.steps}`);
    const large = write(Array.from({ length: 20 }, (_, i) => String(i % 10).repeat(100_000)));
    expect(JSON.stringify(toHistoryRecord(large.history, large.now).past).length).toBeLessThan(storedLimits.size * 1.1);
  });
});

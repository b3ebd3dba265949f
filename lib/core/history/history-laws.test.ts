import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Edit } from "../flow/edit";
import { describeEdits } from "./describe-edits";
import {
  describeRedo,
  describeUndo,
  emptyHistory,
  type History,
  type Moment,
  recordEntry,
  redoEntry,
  sealHistory,
  undoEntry,
} from "./history";
import { fromHistoryRecord, toHistoryRecord } from "./history-record";

const toMoment = (text: string, dx = 0): Moment => ({
  text,
  layout: { pins: dx === 0 ? {} : { a: { dx, dy: 0 } } },
  selection: [text.slice(0, 1)],
});

/** What a user does: changes something, types, undoes, redoes, or reloads the page. */
const anyAction = fc.oneof(
  fc.record({ type: fc.constant("change" as const), text: fc.string({ maxLength: 8 }), dx: fc.nat(2) }),
  fc.record({ type: fc.constant("type" as const), text: fc.string({ maxLength: 3 }), pause: fc.constantFrom(1, 5000) }),
  fc.record({ type: fc.constantFrom("undo" as const, "redo" as const, "reload" as const) }),
);

describe("a history", () => {
  it("property: leads to the same moments as a list of all states", () => {
    fc.assert(
      fc.property(fc.array(anyAction, { maxLength: 25 }), (actions) => {
        let [history, now, time] = [emptyHistory, toMoment("start"), 0];
        // The model: every state, and the index of the current one.
        let [states, index] = [[now], 0];
        const isSame = (a: Moment, b: Moment): boolean =>
          a.text === b.text && JSON.stringify(a.layout) === JSON.stringify(b.layout);
        for (const action of actions) {
          if (action.type === "change" || action.type === "type") {
            const dx = action.type === "change" ? action.dx : (now.layout.pins.a?.dx ?? 0);
            const next = toMoment(action.type === "change" ? action.text : now.text + action.text, dx);
            if (isSame(now, next)) continue;
            // Every change is its own: the keys differ.
            time += 10_000;
            history = recordEntry(history, now, { typing: action.type === "type", at: time });
            now = next;
            states = [...states.slice(0, index + 1), now];
            index++;
          } else if (action.type === "reload") {
            const record = structuredClone(toHistoryRecord(history, now));
            history = fromHistoryRecord(record, now) ?? emptyHistory;
          } else {
            const step = action.type === "undo" ? undoEntry(history, now) : redoEntry(history, now);
            const expected = states[index + (action.type === "undo" ? -1 : 1)];
            expect(step?.moment.text).toBe(expected?.text);
            expect(step?.moment.layout).toEqual(expected?.layout);
            if (!step || !expected) continue;
            [history, now] = [step.history, step.moment];
            index += action.type === "undo" ? -1 : 1;
          }
          expect([history.canUndo, history.canRedo]).toEqual([index > 0, index < states.length - 1]);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("property: an undo and a redo of the same entry change nothing, however often", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 10 }), { minLength: 2, maxLength: 8 }),
        fc.nat(4),
        (texts, rounds) => {
          const states = texts.filter((text, index) => text !== texts[index - 1]).map((text) => toMoment(text));
          let history: History = emptyHistory;
          for (const [index, state] of states.slice(0, -1).entries())
            history = recordEntry(history, state, { typing: false, at: index });
          let now = states.at(-1) ?? toMoment("");
          for (let round = 0; round < rounds; round++) {
            const undone = undoEntry(history, now);
            const redone = undone && redoEntry(undone.history, undone.moment);
            if (!undone || !redone) break;
            expect(redone.moment).toEqual(now);
            [history, now] = [redone.history, redone.moment];
          }
          expect(now).toEqual(states.at(-1));
        },
      ),
    );
  });

  it("is sealed once: a second time changes nothing", () => {
    const history = recordEntry(emptyHistory, toMoment("a"), { typing: true, at: 0 });
    const sealed = sealHistory(history, toMoment("b"));
    expect(sealHistory(sealed, toMoment("b"))).toBe(sealed);
    expect(sealed.past).toHaveLength(1);
    expect(sealHistory(history, { ...(history.open?.before ?? toMoment("a")) }).past).toEqual([]);
  });

  it("does not redo while something new was recorded, and names what it would undo and redo", () => {
    const words = { name: "rename", done: "Renamed a to b" };
    const history = recordEntry(emptyHistory, toMoment("a"), { typing: false, at: 0, words });
    expect(describeUndo(history)).toEqual(words);
    expect(describeRedo(history)).toBeUndefined();
    const undone = undoEntry(history, toMoment("b"));
    expect(undone && [describeUndo(undone.history), describeRedo(undone.history)]).toEqual([undefined, words]);
    const anew = undone && recordEntry(undone.history, undone.moment, { typing: false, at: 9 });
    expect(anew && redoEntry(anew, toMoment("c"))).toBeNull();
  });

  it("goes back over typing that came to nothing to the entry before it", () => {
    let history = recordEntry(emptyHistory, toMoment("a"), { typing: false, at: 0 });
    const now = toMoment("b");
    history = recordEntry(history, now, { typing: true, at: 5000 });
    expect(undoEntry(history, now)?.moment.text).toBe("a");
  });

  it.each<[string, (record: ReturnType<typeof toHistoryRecord>) => unknown]>([
    ["nothing", () => null],
    ["a text", () => "history"],
    ["another version", (record) => ({ ...record, version: 2 })],
    [
      "a negative offset",
      (record) => ({
        ...record,
        past: record.past.map((entry) => ({ ...entry, inverse: [{ from: -1, to: 0, insert: "" }] })),
      }),
    ],
    [
      "an offset after the end",
      (record) => ({
        ...record,
        past: record.past.map((entry) => ({ ...entry, inverse: [{ from: 0, to: 99, insert: "" }] })),
      }),
    ],
    [
      "an inverse of something else",
      (record) => ({
        ...record,
        past: record.past.map((entry) => ({ ...entry, inverse: [{ from: 0, to: 1, insert: "zz" }] })),
      }),
    ],
    ["no layout", ({ layout: _, ...record }) => record],
  ])("is not restored from %s", (_, change) => {
    const history = recordEntry(emptyHistory, toMoment("one"), { typing: false, at: 0 });
    const now = toMoment("two");
    const record = toHistoryRecord(history, now);
    expect(fromHistoryRecord(record, now)).not.toBeNull();
    expect(fromHistoryRecord(change(record), now)).toBeNull();
  });
});

describe("the description of an edit", () => {
  const scope = { type: "root" } as const;
  const note = { x: 0, y: 0, width: 200, height: 100, text: "", color: "yellow" } as const;
  it.each<[Edit, name: string, done: string]>([
    [{ type: "connect", scope, from: "a", to: "b" }, "connect", "Connected a to b"],
    [{ type: "disconnect", scope, from: "a", to: "b" }, "delete link", "Deleted the link from a to b"],
    [{ type: "wrap-parallel", scope, names: ["a", "b"] }, "wrap as parallel", "Put a and b in parallel"],
    [{ type: "wrap-serial", scope, names: ["a", "b", "c"] }, "wrap as serial", "Put a, b, c in series"],
    [
      { type: "extract-group", scope, names: ["a", "b", "c", "d"], name: "g", group: "parallel" },
      "make a group",
      "Put 4 nodes into the group g",
    ],
    [{ type: "extract-swarm", scope, names: ["a"], name: "s" }, "nest as swarm", "Put a into the swarm s"],
    [
      { type: "set-control-field", name: "r", path: ["lanes", "x", "when"] },
      "change of lanes x when",
      "Changed lanes x when of r",
    ],
    [{ type: "move-member", scope, name: "a" }, "move", "Moved a into the flow"],
    [{ type: "set-flow-text", scope, text: "a" }, "change of order", "Changed the order of the flow"],
    [{ type: "set-pin", key: "a", pin: null }, "move", "Moved on the canvas"],
    [{ type: "add-note", id: "n", note }, "add note", "Added a note"],
    [{ type: "change-note", id: "n", change: { x: 1 } }, "move", "Moved on the canvas"],
    [{ type: "change-note", id: "n", change: { x: 1, width: 5 } }, "resize note", "Resized a note"],
    [{ type: "change-note", id: "n", change: { text: "x" } }, "change of note", "Changed a note"],
    [{ type: "change-note", id: "n", change: { color: "green" } }, "colour of note", "Made a note green"],
    [{ type: "remove-note", id: "n" }, "delete", "Deleted a note"],
    [{ type: "set-flow-name", name: "X" }, "rename", "Renamed the flow to X"],
    [{ type: "set-swarm-type", scope, swarm: "team" }, "change of swarm type", "Changed the flow"],
    [{ type: "unwrap", scope, names: ["a"] }, "unwrap", "Changed the flow"],
    [{ type: "add-control", control: "loop", name: "l", fields: {}, scope }, "add loop", "Added l"],
    [
      { type: "wrap-control", control: "loop", name: "l", fields: {}, scope, names: ["a", "b"] },
      "add loop",
      "Put a and b into the loop l",
    ],
  ])("%j is its own", (edit, name, done) => {
    expect(describeEdits([edit])).toEqual({ name, done });
  });

  it("counts what is deleted together", () => {
    const nodes: Edit = { type: "delete-nodes", scope, names: ["a", "b"], declarations: true };
    const notes: Edit[] = [
      { type: "remove-note", id: "n" },
      { type: "remove-note", id: "m" },
    ];
    expect(describeEdits([nodes, ...notes]).done).toBe("Deleted a and b and 2 notes");
  });
});

import fc from "fast-check";
import { expect, it, test } from "vitest";
import { applyChanges, toMinimalChange } from "../flow/text-change";
import { emptyHistory, type History, type Moment, recordEntry, redoEntry, undoEntry } from "./history";
import { fromHistoryRecord, toHistoryRecord } from "./history-record";
import { dropEntry, rebaseHistory } from "./rebase-history";

const moment = (text: string, dx = 0): Moment => ({ text, layout: { pins: { a: { dx, dy: 0 } } }, selection: [] });

interface Editor {
  history: History;
  now: Moment;
}
const start = (text: string): Editor => ({ history: emptyHistory, now: moment(text) });

const edit = ({ history, now }: Editor, next: Moment, at: number): Editor => ({
  history: recordEntry(history, now, { typing: false, at }),
  now: next,
});

function receive({ history, now }: Editor, next: Moment): Editor {
  const change = toMinimalChange(now.text, next.text);
  const foreign = { changes: change ? [change] : [], layout: next.layout };
  return { history: rebaseHistory(history, now, foreign), now: { ...next, selection: now.selection } };
}

function travel(editor: Editor, find: typeof undoEntry): Editor {
  const step = find(editor.history, editor.now);
  return step ? { history: step.history, now: step.moment } : editor;
}

test("undo reverts the own edit only, redo does it again", () => {
  let editor = edit(start("a b c"), moment("a B c"), 0);
  editor = edit(editor, moment("a B C"), 10_000);
  editor = receive(editor, moment("new a B C"));
  editor = travel(editor, undoEntry);
  expect(editor.now.text).toBe("new a B c");
  editor = receive(editor, moment("new a B c end"));
  editor = travel(editor, undoEntry);
  expect(editor.now.text).toBe("new a b c end");
  editor = travel(travel(editor, redoEntry), redoEntry);
  expect(editor.now.text).toBe("new a B C end");
});

test("undo of a moved card leaves the card that someone else has moved", () => {
  let editor = edit(start("x"), moment("x", 5), 0);
  const pins = { ...editor.now.layout.pins, b: { dx: 9, dy: 9 } };
  editor = receive(editor, { ...editor.now, layout: { pins } });
  editor = travel(editor, undoEntry);
  expect(editor.now.layout.pins).toEqual({ a: { dx: 0, dy: 0 }, b: { dx: 9, dy: 9 } });
  editor = travel(editor, redoEntry);
  expect(editor.now.layout.pins).toEqual(pins);
});

test("typing goes on as one entry while someone else writes", () => {
  const typing = { typing: true, key: "1" };
  let { history, now } = start("ab");
  history = recordEntry(history, now, { ...typing, at: 0 });
  now = moment("aXb");
  ({ history, now } = receive({ history, now }, moment("aXb theirs")));
  history = recordEntry(history, now, { ...typing, at: 100 });
  now = moment("aXYb theirs");
  expect(undoEntry(history, now)?.moment.text).toBe("ab theirs");
});

test("undo takes out the letters that were typed, and not the same ones beside them", () => {
  // The line break at the end is the file's: the user typed the one before the spaces.
  let { history, now } = start("  text: |\n    \n  next: 1\n");
  history = recordEntry(history, now, { typing: true, at: 0 }, [{ from: 14, to: 14, insert: "\n    " }]);
  now = moment("  text: |\n    \n    \n  next: 1\n");
  ({ history, now } = receive({ history, now }, moment("  text: |\n    \n    theirs\n  next: 1\n")));
  expect(undoEntry(history, now)).toMatchObject({
    moment: { text: "  text: |\n    theirs\n  next: 1\n" },
    changes: [{ from: 14, to: 19, insert: "" }],
  });
});

/** A lower-case letter of the own text is made upper case, or a digit of others is inserted, or the own history is walked. */
const anyAction = fc.oneof(
  fc.record({ type: fc.constant("own" as const), at: fc.nat(9) }),
  fc.record({ type: fc.constant("foreign" as const), at: fc.nat(60) }),
  fc.record({ type: fc.constantFrom("undo" as const, "redo" as const) }),
);

it("property: undoing everything leaves the first text with all that others inserted", () => {
  const letters = "abcdefghij";
  fc.assert(
    fc.property(fc.array(anyAction, { maxLength: 30 }), (actions) => {
      let [editor, digits, time] = [start(letters), 0, 0];
      for (const action of actions) {
        const { text } = editor.now;
        if (action.type === "own") {
          const letter = letters[action.at] ?? "";
          time += 10_000;
          if (text.includes(letter))
            editor = edit(editor, moment(text.replace(letter, `${letter.toUpperCase()}!`)), time);
        } else if (action.type === "foreign") {
          const from = action.at % (text.length + 1);
          digits++;
          editor = receive(editor, moment(applyChanges(text, [{ from, to: from, insert: "7" }])));
        } else editor = travel(editor, action.type === "undo" ? undoEntry : redoEntry);
      }
      while (editor.history.canUndo) editor = travel(editor, undoEntry);
      expect(editor.now.text.replaceAll("7", "")).toBe(letters);
      expect(editor.now.text.length).toBe(letters.length + digits);
    }),
    { numRuns: 1000 },
  );
});

it("property: what is known of the newest entry leads from its text to the present one, whatever others write", () => {
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const write = fc.record({
    type: fc.constantFrom("typed" as const, "unknown" as const, "foreign" as const),
    start: place,
    end: place,
    insert: fc.string({ unit: fc.constantFrom("a", "b", "\n", " "), maxLength: 3 }),
  });
  const walk = fc.record({ type: fc.constantFrom("undo" as const, "redo" as const, "drop" as const) });
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 3, arbitrary: write }, walk), { maxLength: 25 }), (actions) => {
      let { history, now } = start("one\n  two\n  two\n");
      for (const [at, action] of actions.entries()) {
        if ("start" in action) {
          const { text } = now;
          const [from = 0, to = 0] = [action.start, action.end]
            .map((part) => Math.round(part * text.length))
            .toSorted((a, b) => a - b);
          const changes = [{ from, to, insert: action.insert }];
          const next = { ...now, text: applyChanges(text, changes) };
          if (action.type === "foreign") history = rebaseHistory(history, now, { changes, layout: now.layout });
          else {
            const origin = { typing: action.type === "typed", at, key: "1" };
            history = recordEntry(history, now, origin, action.type === "typed" ? changes : null);
          }
          now = next;
        } else if (action.type === "drop") history = dropEntry(history, now, "undid");
        else {
          const step = (action.type === "undo" ? undoEntry : redoEntry)(history, now);
          if (step?.changes) expect(applyChanges(now.text, step.changes)).toBe(step.moment.text);
          if (step) ({ history, moment: now } = step);
        }
        const { open } = history;
        if (open?.changes) expect(applyChanges(open.before.text, open.changes)).toBe(now.text);
        expect(fromHistoryRecord(structuredClone(toHistoryRecord(history, now)), now)).not.toBeNull();
      }
    }),
    { numRuns: 1000 },
  );
});

test("an entry that cannot be undone is left out, and those before it still undo what they did", () => {
  let editor = edit(start("a b c"), moment("A b c"), 0);
  editor = edit(editor, moment("new A b c"), 10_000);
  editor = { ...editor, history: dropEntry(editor.history, editor.now, "undid") };
  expect(editor.history.canRedo).toBe(false);
  expect(travel(editor, undoEntry).now.text).toBe("new a b c");
});

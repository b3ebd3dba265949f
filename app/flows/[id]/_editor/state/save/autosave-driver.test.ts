import { expect, it, vi } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { toFingerprint } from "@/lib/core/flow/hash-text";
import type { SaveAnswer } from "./autosave";
import { createAutosave, type SaveWire } from "./autosave-driver";
import type { Theirs } from "./snapshot";

const snapshot = (source: string) => ({ source, layout: emptyLayout });

/** An autosave whose saves are answered in turn, and the summaries that it sent. */
function startAutosave(answers: SaveAnswer[]) {
  const summaries: (string | undefined)[] = [];
  const wire: SaveWire = {
    async save({ summary }) {
      summaries.push(summary);
      return answers.shift() ?? { type: "failed", message: "no answer", retryable: false };
    },
    current: async () => null,
  };
  const autosave = createAutosave("flow", snapshot("a"), "r1", wire);
  const edit = (source: string, change: string): void => {
    autosave.apply({ type: "edited", current: snapshot(source) });
    autosave.describe(change);
  };
  return { autosave, edit, summaries };
}

it("sends what was done since the last save, each change once", async () => {
  const { autosave, edit, summaries } = startAutosave([
    { type: "succeeded", revision: "r2" },
    { type: "succeeded", revision: "r3" },
  ]);
  edit("b", "Edited the text");
  edit("c", "Edited the text");
  edit("d", "Added x");
  expect(await autosave.flush()).toBe(true);
  edit("e", "Renamed x to y");
  expect(await autosave.flush()).toBe(true);
  expect(summaries).toEqual(["Edited the text\nAdded x", "Renamed x to y"]);
  autosave.stop();
});

it.each(["a timer", "a flush"])(
  "sends nothing after it was stopped, by %s: the save under way did not arrive",
  async (by) => {
    vi.useFakeTimers();
    const answers: ((answer: SaveAnswer) => void)[] = [];
    const autosave = createAutosave("flow", snapshot("a"), "r1", {
      save: () => new Promise((resolve) => answers.push(resolve)),
      current: async () => null,
    });
    autosave.apply({ type: "edited", current: snapshot("b") });
    const flushed = by === "a flush" ? autosave.flush() : null;
    await vi.advanceTimersByTimeAsync(2000);
    autosave.apply({ type: "edited", current: snapshot("bc") });
    const waiting = by === "a flush" ? autosave.flush() : null;
    autosave.stop();
    answers[0]?.({ type: "failed", message: "lost", retryable: true, offline: true, isTraceless: true });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(answers).toHaveLength(1);
    expect(await flushed).not.toBe(true);
    expect(await waiting).not.toBe(true);
    autosave.start();
    autosave.apply({ type: "edited", current: snapshot("bcd") });
    await vi.advanceTimersByTimeAsync(2000);
    expect(answers).toHaveLength(2);
    vi.useRealTimers();
  },
);

it("keeps what was done when a save fails", async () => {
  const { autosave, edit, summaries } = startAutosave([
    { type: "failed", message: "down", retryable: true },
    { type: "succeeded", revision: "r2" },
  ]);
  edit("b", "Added x");
  expect(await autosave.flush()).toBe(false);
  expect(await autosave.flush()).toBe(true);
  expect(summaries).toEqual(["Added x", "Added x"]);
  autosave.stop();
});

it.each([
  [true, ["waits", "keepalive"]],
  [false, ["waits"]],
])("a page that is left sends what was begun and is held back: %s", async (isHeld, expected) => {
  const sent: string[] = [];
  const wire: SaveWire = {
    save({ keepalive }) {
      sent.push(keepalive ? "keepalive" : "waits");
      return new Promise(() => undefined);
    },
    current: async () => null,
    isHeld: () => isHeld,
  };
  const autosave = createAutosave("held flow", snapshot("a"), "r1", wire);
  autosave.apply({ type: "edited", current: snapshot("b") });
  void autosave.flush();
  void autosave.flushOnLeave();
  expect(sent).toEqual(expected);
  autosave.stop();
});

it("what is done while a save is under way belongs to the next one", async () => {
  const { autosave, edit, summaries } = startAutosave([
    { type: "succeeded", revision: "r2" },
    { type: "succeeded", revision: "r3" },
  ]);
  edit("b", "Edited the text");
  const saving = autosave.flush();
  edit("c", "Edited the text");
  expect(await saving).toBe(true);
  expect(summaries).toEqual(["Edited the text", "Edited the text"]);
  autosave.stop();
});

/** An autosave whose saves and readings are answered by hand. */
function startByHand() {
  const sent: Parameters<SaveWire["save"]>[0][] = [];
  const answers: ((answer: SaveAnswer) => void)[] = [];
  let read: (theirs: Theirs | null) => void = () => {};
  const wire: SaveWire = {
    save(request) {
      sent.push(request);
      return new Promise((resolve) => answers.push(resolve));
    },
    current: () =>
      new Promise((resolve) => {
        read = resolve;
      }),
  };
  const autosave = createAutosave("by hand", snapshot("a"), "r1", wire);
  const edit = (source: string): void => autosave.apply({ type: "edited", current: snapshot(source) });
  return { autosave, edit, sent, answers, read: (theirs: Theirs | null) => read(theirs) };
}

it("a reading that is answered after a save does not take the editor back", async () => {
  const { autosave, edit, answers, read } = startByHand();
  const found = autosave.findNewer();
  await Promise.resolve();
  edit("b");
  const saving = autosave.flush();
  answers[0]?.({ type: "succeeded", revision: "r2" });
  expect(await saving).toBe(true);
  read({ ...snapshot("a"), revision: "r1" });
  expect(await found).toBeNull();
  autosave.stop();
});

it("a page that is shown again after it was left meets no conflict with what it sent then", async () => {
  const { autosave, edit, answers } = startByHand();
  edit("b");
  void autosave.flushOnLeave();
  edit("bc");
  const saving = autosave.flush();
  answers[1]?.({ type: "conflicted", theirs: { ...snapshot("b"), revision: "r2" } });
  await Promise.resolve();
  await Promise.resolve();
  expect(autosave.store.getState()).toMatchObject({ revision: "r2", theirs: null });
  answers[2]?.({ type: "succeeded", revision: "r3" });
  expect(await saving).toBe(true);
  answers[0]?.({ type: "succeeded", revision: "r2" });
  autosave.stop();
});

it("a page that is left during a save sends what was typed since, over either version", async () => {
  const { autosave, edit, sent, answers } = startByHand();
  edit("b");
  void autosave.flush();
  edit("c");
  const leaving = autosave.flushOnLeave();
  expect(
    sent.map(({ snapshot: { source }, baseRevision, keepalive, unanswered }) => ({
      source,
      baseRevision,
      keepalive,
      unanswered,
    })),
  ).toEqual([
    { source: "b", baseRevision: "r1", keepalive: undefined, unanswered: undefined },
    { source: "c", baseRevision: "r1", keepalive: true, unanswered: toFingerprint("b") },
  ]);
  answers[1]?.({ type: "succeeded", revision: "r3" });
  expect(await leaving).toBe(true);
  autosave.stop();
});

it.each([
  ["succeeded", { type: "succeeded", revision: "r2" } as const, true],
  ["failed", { type: "failed", message: "down", retryable: true } as const, false],
])("a page that is left knows whether its last save %s", async (_, answer, expected) => {
  const { autosave, edit, answers } = startByHand();
  edit("b");
  const leaving = autosave.flushOnLeave();
  answers[0]?.(answer);
  expect(await leaving).toBe(expected);
  autosave.stop();
});

it.each([
  ["succeeds", { type: "succeeded", revision: "r2" } as const, true],
  ["fails", { type: "failed", message: "down", retryable: false } as const, false],
])("a page that is left while its last text is being saved knows whether that %s", async (_, answer, expected) => {
  const { autosave, edit, sent, answers } = startByHand();
  edit("b");
  void autosave.flush();
  const leaving = autosave.flushOnLeave();
  expect(sent).toHaveLength(1);
  answers[0]?.(answer);
  expect(await leaving).toBe(expected);
  autosave.stop();
});

it("several who wait for the save that is under way end with it, when the connection is lost", async () => {
  let saves = 0;
  let lose = (): void => {};
  const lost: SaveAnswer = { type: "failed", message: "no connection", retryable: true, offline: true };
  const wire: SaveWire = {
    // While the connection is lost each save fails at once.
    save: () => (++saves > 1 ? Promise.resolve(lost) : new Promise((resolve) => (lose = () => resolve(lost)))),
    current: async () => null,
  };
  const autosave = createAutosave("lost flow", snapshot("a"), "r1", wire);
  autosave.apply({ type: "edited", current: snapshot("b") });
  const flushes = [autosave.flush(), autosave.flush(), autosave.flush()];
  lose();
  expect(await Promise.all(flushes)).toEqual([false, false, false]);
  expect(saves).toBe(1);
  autosave.stop();
});

it("a page that shows the document of the last visit, and has not joined it, sends nothing when it is left", async () => {
  const sent: unknown[] = [];
  const wire: SaveWire = {
    async save(request) {
      sent.push(request);
      return { type: "succeeded", revision: "r2" };
    },
    current: async () => null,
    isKeptCopyOpen: () => true,
  };
  const autosave = createAutosave("kept flow", snapshot("a"), "r1", wire);
  autosave.apply({ type: "edited", current: snapshot("b") });
  expect(await autosave.flushOnLeave()).toBe(false);
  expect(sent).toEqual([]);
  autosave.stop();
});

it.each([
  [0, 1],
  [1, 0],
])(
  "an editor that opens a flow waits for the saves of both that left it (save %i is answered first)",
  async (first, last) => {
    const left = [startByHand(), startByHand()];
    for (const [index, { edit, autosave }] of left.entries()) {
      edit(`b${index}`);
      void autosave.flushOnLeave();
    }
    const answer = async (index: number): Promise<void> => {
      left[index]?.answers[0]?.({ type: "succeeded", revision: `r${index}` });
      await new Promise((resolve) => setTimeout(resolve));
    };
    const newer: Theirs = { ...snapshot("b"), revision: "r2" };
    const current = vi.fn(async () => newer);
    const save: SaveWire["save"] = () => expect.fail("Nothing is saved.");
    await answer(first);
    const found = createAutosave("by hand", snapshot("a"), "r1", { save, current }).findNewer();
    await new Promise((resolve) => setTimeout(resolve));
    expect(current).not.toHaveBeenCalled();
    await answer(last);
    expect(await found).toEqual(newer);
  },
);

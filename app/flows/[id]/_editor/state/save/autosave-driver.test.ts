import { expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import type { SaveAnswer } from "./autosave";
import { createAutosave, type SaveWire } from "./autosave-driver";

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
  autosave.flushOnLeave();
  expect(sent).toEqual(expected);
  autosave.stop();
});

import { describe, expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { hasUnsaved, nextSaveIn, reduceSave, type SaveEvent, type SaveState, startSaving } from "./autosave";
import { readAnswer } from "./save-request";
import { isAmongSent } from "./snapshot";

const snapshot = (source: string) => ({ source, layout: emptyLayout });
const start = startSaving(snapshot("a"), "r1");
const run = (events: SaveEvent[], from: SaveState = start): SaveState => events.reduce(reduceSave, from);
const edited = (source: string): SaveEvent => ({ type: "edited", current: snapshot(source) });
const failed = { type: "failed", message: "no answer", retryable: true } satisfies SaveEvent;
const theirs = { ...snapshot("theirs"), revision: "r9" };

describe("autosave", () => {
  it("sends nothing before a real edit", () => {
    expect(nextSaveIn(start)).toBeNull();
    const touched = run([edited("a")]);
    expect([touched.phase, nextSaveIn(touched)]).toEqual(["saved", null]);
  });

  it("saves within a second after the last edit", () => {
    const state = run([edited("b")]);
    expect(state.phase).toBe("unsaved");
    expect(nextSaveIn(state)).toBeLessThan(1000);
  });

  it("needs no request when undo goes back to what is stored", () => {
    const state = run([edited("b"), edited("a")]);
    expect([state.phase, nextSaveIn(state)]).toEqual(["saved", null]);
  });

  it("sends again what undo took back where it may be stored: no answer came", () => {
    const state = run([edited("b"), { type: "sent" }, failed, edited("a")]);
    expect([state.phase, hasUnsaved(state)]).toEqual(["unsaved", true]);
    const met = run([{ type: "sent" }, { type: "conflicted", theirs: { ...snapshot("b"), revision: "r2" } }], state);
    expect([met.phase, met.stored.source, met.current.source]).toEqual(["unsaved", "b", "a"]);
    const done = run([{ type: "sent" }, { type: "succeeded", revision: "r3" }], met);
    expect([done.phase, hasUnsaved(done)]).toEqual(["saved", false]);
  });

  it("saves what was undone in the shared document, where it may have arrived: the text does not tell", () => {
    const edit = (source: string): SaveEvent => ({ type: "edited", current: snapshot(source), isShared: true });
    const undone = run([edit("b"), edit("a")]);
    expect([undone.phase, hasUnsaved(undone)]).toEqual(["unsaved", true]);
    expect(hasUnsaved(run([{ type: "sent" }, failed], undone))).toBe(true);
    const answered = run([{ type: "sent" }, { type: "succeeded", revision: "r2" }], undone);
    expect([answered.phase, hasUnsaved(answered)]).toEqual(["saved", false]);
    const meanwhile = run([{ type: "sent" }, edit("b"), edit("a"), { type: "succeeded", revision: "r2" }], undone);
    expect(hasUnsaved(meanwhile)).toBe(true);
  });

  it("needs to know nothing of a save that went through the shared document, or was not sent", () => {
    expect(run([edited("b"), { type: "sent" }, { ...failed, isTraceless: true }]).unanswered).toEqual([]);
    const lost: SaveEvent = { type: "access-lost", loss: "signed-out" };
    expect(run([edited("b"), { type: "sent" }, lost, { ...failed, isTraceless: true }]).unanswered).toEqual([]);
  });

  it("keeps one save in flight and sends the newest edit after it", () => {
    const sending = run([edited("b"), { type: "sent" }, edited("c"), edited("d")]);
    expect([sending.phase, nextSaveIn(sending), sending.sending?.source]).toEqual(["saving", null, "b"]);
    const after = run([{ type: "succeeded", revision: "r2" }], sending);
    expect([after.phase, after.revision, after.stored.source]).toEqual(["unsaved", "r2", "b"]);
    const done = run([{ type: "sent" }, { type: "succeeded", revision: "r3" }], after);
    expect([done.phase, done.stored.source, hasUnsaved(done)]).toEqual(["saved", "d", false]);
  });

  it("notices a moved card though the text is the same", () => {
    const state = run([{ type: "edited", current: { source: "a", layout: { pins: { x: { dx: 1, dy: 2 } } } } }]);
    expect(state.phase).toBe("unsaved");
    const back = run([{ type: "edited", current: { source: "a", layout: { pins: {} } } }], state);
    expect(back.phase).toBe("saved");
    const turned = (direction: "right" | "down" | undefined): SaveEvent => ({
      type: "edited",
      current: { source: "a", layout: { pins: {}, direction } },
    });
    const phases = [run([turned("down")]), run([turned("right")]), run([turned("down"), turned(undefined)])];
    expect(phases.map(({ phase }) => phase)).toEqual(["unsaved", "unsaved", "saved"]);
  });

  it("remembers the first of many saves without an answer: it may be the one that was stored", () => {
    const saves = Array.from({ length: 30 }, (_, index) => [
      edited(`text ${index}`),
      { type: "sent" } as const,
      failed,
    ]);
    const { unanswered } = run(saves.flat());
    expect(unanswered).toHaveLength(20);
    expect(["text 0", "text 9", "text 10", "text 29"].map((text) => isAmongSent(unanswered, snapshot(text)))).toEqual([
      true,
      true,
      false,
      true,
    ]);
  });

  it("remembers a save without an answer, also when the access was lost meanwhile", () => {
    const state = run([edited("b"), { type: "sent" }, { type: "access-lost", loss: "signed-out" }, failed]);
    expect(isAmongSent(state.unanswered, snapshot("b"))).toBe(true);
  });

  it("retries with growing pauses, at most 30 s apart", () => {
    let state = run([edited("b"), { type: "sent" }, failed]);
    const waits: (number | null)[] = [];
    for (let i = 0; i < 8; i++) {
      waits.push(nextSaveIn(state));
      state = run([{ type: "sent" }, failed], state);
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000]);
    expect(state.current.source).toBe("b");
  });

  it("does not repeat a save that would be refused again", () => {
    const state = run([edited("b"), { type: "sent" }, { type: "failed", message: "too large", retryable: false }]);
    expect(nextSaveIn(state)).toBeNull();
    expect(nextSaveIn(run([edited("c")], state))).not.toBeNull();
  });

  it("never saves over a conflict until a person chose", () => {
    const state = run([edited("b"), { type: "sent" }, { type: "conflicted", theirs }, edited("c")]);
    expect([state.phase, nextSaveIn(state), state.current.source]).toEqual(["conflict", null, "c"]);
    const mine = run([{ type: "kept-mine" }], state);
    expect([mine.phase, mine.revision, mine.current.source]).toEqual(["unsaved", "r9", "c"]);
    const other = run([{ type: "took-theirs" }], state);
    expect([other.phase, other.revision, other.current.source]).toEqual(["saved", "r9", "theirs"]);
  });

  it("takes the same content saved elsewhere for no conflict", () => {
    const same = { ...snapshot("b"), revision: "r9" };
    const state = run([edited("b"), { type: "sent" }, { type: "conflicted", theirs: same }]);
    expect([state.phase, state.revision]).toEqual(["saved", "r9"]);
  });

  it("asks before it empties a flow", () => {
    const asked = run([edited(""), { type: "sent" }, { type: "refused-empty" }]);
    expect([asked.phase, nextSaveIn(asked), asked.emptyAllowed]).toEqual(["emptying", null, false]);
    const agreed = run([{ type: "emptying-agreed" }], asked);
    expect([nextSaveIn(agreed) !== null, agreed.emptyAllowed]).toEqual([true, true]);
    expect(run([{ type: "sent" }, { type: "succeeded", revision: "r2" }], agreed).emptyAllowed).toBe(false);
  });

  it("sends nothing of a flow that was emptied before a user agrees, and goes on when it is undone", () => {
    const emptied = run([{ type: "edited", current: snapshot(""), isEmptied: true }]);
    expect([emptied.phase, nextSaveIn(emptied)]).toEqual(["emptying", null]);
    const during = run([edited("b"), { type: "sent" }, { type: "edited", current: snapshot(""), isEmptied: true }]);
    expect(run([{ type: "succeeded", revision: "r2" }], during).phase).toBe("emptying");
    expect(run([edited("a")], emptied).phase).toBe("saved");
    expect(run([edited("b")], emptied).phase).toBe("unsaved");
    const agreed = run([{ type: "emptying-agreed" }], emptied);
    expect([agreed.phase, agreed.emptyAllowed]).toEqual(["unsaved", true]);
    expect(run([{ type: "sent" }, { type: "succeeded", revision: "r2" }], agreed)).toMatchObject({
      phase: "saved",
      emptyAllowed: false,
      isEmptied: false,
    });
  });
});

describe("readAnswer", () => {
  const sent = snapshot("b");
  it("tells the answers apart", () => {
    expect(readAnswer(200, { revision: "r2", problems: [] }, sent)).toEqual({ type: "succeeded", revision: "r2" });
    const details = { revision: "r9", source: "x", layout: { pins: {} } };
    const conflict = { error: { code: "conflict", message: "stale", details } };
    expect(readAnswer(409, conflict, sent)).toEqual({ type: "conflicted", theirs: details });
    expect(readAnswer(500, null, sent)).toMatchObject({ type: "failed", retryable: true });
    const tooLarge = { error: { code: "too_large", message: "too large" } };
    expect(readAnswer(413, tooLarge, sent)).toEqual({ type: "failed", message: "too large", retryable: false });
    expect(readAnswer(200, "<html>", sent)).toMatchObject({ type: "failed" });
  });
});

describe("saving under steady typing, without a network, and after a visit that ended early", () => {
  it("saves during continuous typing", () => {
    const state = run([edited("b")]);
    const waits = [0, 500, 1000, 1300, 5000].map((waited) => nextSaveIn(state, waited));
    expect(waits.map((wait) => wait ?? -1)).toEqual([600, 600, 400, 100, 0]);
  });

  it("reports a missing network, and retries", () => {
    const state = run([edited("b"), { type: "sent" }, { ...failed, offline: true }]);
    expect([state.phase, nextSaveIn(state)]).toEqual(["offline", 1000]);
    expect(run([edited("c")], state).phase).toBe("unsaved");
  });

  it("asks about a flow that was emptied while it met a conflict", () => {
    const emptied = { type: "edited", current: snapshot(""), isEmptied: true } as const;
    const state = run([edited("b"), { type: "sent" }, emptied, { type: "conflicted", theirs }, { type: "kept-mine" }]);
    expect([state.phase, nextSaveIn(state)]).toEqual(["emptying", null]);
  });

  it("asks about an emptied flow again on the next visit", () => {
    const base = { ...snapshot("theirs"), revision: "r1" };
    const emptied = { type: "edited", current: snapshot(""), isEmptied: true } as const;
    const state = run([emptied, { type: "recovered", base, current: snapshot("") }]);
    expect(state).toMatchObject({ phase: "emptying", isEmptied: true, emptyAllowed: false });
  });

  it("sends what was brought back as an edit of the text that it began with", () => {
    const base = { ...snapshot("old"), revision: "r0" };
    const state = run([{ type: "recovered", base, current: snapshot("mine") }]);
    expect([state.phase, state.revision, state.stored.source, state.review]).toEqual(["unsaved", "r0", "old", true]);
    const met = run([{ type: "sent" }, { type: "conflicted", theirs }], state);
    expect([met.phase, met.stored.source, met.current.source, met.review]).toEqual(["conflict", "old", "mine", true]);
    const merged = run([edited("merged"), { type: "kept-mine" }], met);
    expect([merged.phase, merged.revision, merged.review]).toEqual(["unsaved", "r9", false]);
  });

  it("keeps what was stored as the base of a merge, whatever was edited since", () => {
    const state = run([edited("b"), { type: "sent" }, edited("c"), { type: "conflicted", theirs }, edited("d")]);
    expect([state.phase, state.stored.source, state.current.source]).toEqual(["conflict", "a", "d"]);
  });

  describe("of a user who can no longer change the flow", () => {
    const lost: SaveEvent = { type: "access-lost", loss: "left-team" };

    it("sends nothing, whatever the user types, and keeps the text", () => {
      for (const before of [[], [edited("b")], [edited("b"), failed], [{ type: "conflicted", theirs } as const]]) {
        const state = run([...before, lost, edited("typed since")]);
        expect([state.phase, state.accessLoss, nextSaveIn(state)]).toEqual(["no-access", "left-team", null]);
        expect([state.current.source, hasUnsaved(state)]).toEqual(["typed since", true]);
      }
    });

    it("a save that was sent before counts once it is answered, and is not sent again", () => {
      const sending = run([edited("b"), { type: "sent" }, lost]);
      const saved = run([{ type: "succeeded", revision: "r2" }], sending);
      expect([saved.phase, saved.revision, saved.stored.source, saved.sending]).toEqual(["no-access", "r2", "b", null]);
      const refused = run([failed], sending);
      expect([refused.phase, refused.sending, nextSaveIn(refused)]).toEqual(["no-access", null, null]);
    });

    it("saves the text once the user has access again", () => {
      const regained: SaveEvent = { type: "access-regained" };
      const state = run([lost, edited("typed since"), regained]);
      expect([state.phase, state.accessLoss, nextSaveIn(state)]).toEqual(["unsaved", null, 600]);
      expect(run([lost, regained]).phase).toBe("saved");
    });

    it("asks about a flow that was emptied meanwhile", () => {
      const emptied = { type: "edited", current: snapshot(""), isEmptied: true } as const;
      const state = run([lost, emptied, { type: "access-regained" }]);
      expect([state.phase, nextSaveIn(state)]).toEqual(["emptying", null]);
    });
  });
});

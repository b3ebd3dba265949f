import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createAnnouncer } from "../../state/announcer";
import { openEditor } from "../../state/testing/open-editor";
import { announceEditor } from "./announce-editor";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const source = `name: Spoken
agents: { a: { model: "demo:a" }, b: { model: "missing:x" }, c: { model: "demo:c" }, d: { model: "demo:d" } }
groups:
  review: { type: parallel, flow: "b | c" }
swarm:
  flow: a >> review >> d
`;

function listen() {
  const providers = [{ id: "demo", label: "Demo", available: true, models: [] }];
  const editor = openEditor(source, { offer: { providers } });
  const announcer = createAnnouncer();
  const stop = announceEditor(announcer, editor);
  const heard = (): string => {
    vi.advanceTimersByTime(500);
    return announcer.store.getState().text;
  };
  return { editor, announcer, heard, stop };
}

describe("announcements", () => {
  it("name what is selected, its position and its problems", () => {
    const { editor, heard } = listen();
    editor.select(["a"]);
    expect(heard()).toBe("Agent a, 1 of 3, in series");
    editor.select(["review/b"]);
    expect(heard()).toBe("Agent b, 1 of 2, in review, in parallel, 1 error");
    editor.dispatch([{ type: "set-folded", keys: ["review"], folded: true }]);
    expect(heard()).toContain("Folded review");
    editor.select(["review"]);
    expect(heard()).toBe("Parallel group review, folded, Space unfolds, 2 of 3, in series");
    editor.select(["a", "d"]);
    expect(heard()).toBe("2 selected, last Agent d");
    editor.selectEdge("a//review");
    expect(heard()).toMatch(/^Link from a to review/);
  });

  it("describe an edit, and undo and redo by name", () => {
    const { editor, heard } = listen();
    editor.dispatch([{ type: "rename", from: "a", to: "plan" }]);
    expect(heard()).toContain("Renamed a to plan");
    editor.undo();
    expect(heard()).toContain("Undid: rename");
    editor.redo();
    expect(heard()).toContain("Redid: rename");
  });

  it("name typing when it is undone, and are silent while the user types", () => {
    const { editor, heard } = listen();
    editor.typeText(source.replace("Spoken", "Typed"));
    expect(heard()).toBe("");
    editor.undo();
    expect(heard()).toContain("Undid: typing");
  });

  it("repeat when the same thing happens again", () => {
    const { announcer, heard } = listen();
    announcer.announce("step", "Undid: rename");
    heard();
    const { count } = announcer.store.getState();
    announcer.announce("step", "Undid: rename");
    heard();
    expect(announcer.store.getState().count).toBe(count + 1);
  });

  it("describe a run at most once a second, the latest state only", () => {
    const { announcer } = listen();
    const texts: string[] = [];
    announcer.store.subscribe(({ text }) => texts.push(text));
    for (let step = 0; step < 30; step++) {
      announcer.announceRun(`step ${step}`);
      vi.advanceTimersByTime(100);
    }
    vi.advanceTimersByTime(1000);
    expect(texts.length).toBeLessThanOrEqual(4);
    expect(texts.at(-1)).toBe("step 29");
  });
});

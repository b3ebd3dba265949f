import { describe, expect, it } from "vitest";
import { readFoldedProgress, summarizeStatuses } from "@/app/_canvas/cards/folded-progress";
import { nodeStatus } from "@/app/_canvas/state/test-status";
import type { RunStatus } from "@/lib/core/run/events/run-status";
import { openSession } from "./testing/open-session";
import { unfoldSelected } from "./unfold-selected";

const source = `agents: { a: { model: "demo:x" }, b: { model: "demo:x" }, c: { model: "demo:x" } }
groups:
  review: { type: parallel, flow: b | c }
swarm:
  flow: a >> review
`;
function open() {
  const session = openSession(source);
  unfoldSelected(session.editor);
  const now = () => session.editor.store.getState();
  return { ...session, now, keys: () => now().arrangement.nodes.map(({ key }) => key) };
}

describe("folding in the editor", () => {
  it("is one step of the history, and keeps what was selected in it", () => {
    const { actions, editor, now, keys } = open();
    editor.select(["review/b"]);
    actions.fold(["review"], true);
    expect([keys(), now().selection, now().text]).toEqual([["a", "review"], ["review"], source]);
    editor.undo();
    expect([keys(), now().history.canUndo]).toEqual([["a", "review", "review/b", "review/c"], false]);
    editor.redo();
    expect(keys()).toEqual(["a", "review"]);
  });

  it("unfolds for a selection inside", () => {
    const { actions, editor, now, keys } = open();
    actions.foldAll();
    expect(keys()).toEqual(["a", "review"]);
    actions.show("review/c");
    expect([keys().length, now().selection]).toEqual([4, ["review/c"]]);
    editor.undo();
    expect([keys(), now().selection]).toEqual([["a", "review"], []]);
    actions.unfoldAll();
    expect(keys()).toHaveLength(4);
  });

  it("stays folded when another name of the flow changes, and follows a rename", () => {
    const { actions, editor, keys } = open();
    actions.fold(["review"], true);
    editor.dispatch([{ type: "rename", from: "review", to: "panel" }]);
    expect(keys()).toEqual(["a", "panel"]);
    editor.typeText(source.replaceAll("review", "jury"));
    expect(keys()).toEqual(["a", "jury"]);
  });
});

describe("the progress of a folded card", () => {
  const progress = (statuses: Record<string, RunStatus>) =>
    readFoldedProgress(
      summarizeStatuses(new Map(Object.entries(statuses).map(([key, status]) => [key, nodeStatus(status)])), {
        key: "g",
        agents: ["g/a", "g/b", "g/c"].map((key) => ({ key })),
      }),
    );

  it("counts what has ended and shows the worst status", () => {
    expect(progress({})).toBeNull();
    expect(progress({ g: "RUNNING" })).toEqual({ done: 0, total: 3, worst: "RUNNING" });
    expect(progress({ g: "RUNNING", "g/a": "SUCCESS", "g/b": "RUNNING" })).toMatchObject({ done: 1, worst: "RUNNING" });
    expect(progress({ g: "RUNNING", "g/a": "FAILED", "g/b": "WAITING" })).toMatchObject({ done: 1, worst: "FAILED" });
    expect(progress({ g: "SUCCESS", "g/a": "SUCCESS", "g/b": "SUCCESS", "g/c": "SUCCESS" })).toEqual({
      done: 3,
      total: 3,
      worst: "SUCCESS",
    });
  });
});

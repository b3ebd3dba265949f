import { describe, expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { barOwner, barText, findMistake, writeFlowLine } from "./bar-scope";
import { createEditor } from "./store/editor";

const source = `agents:
  a: { model: "demo:x" }
  b: { model: "demo:x" }
  c: { model: "demo:x" }
groups:
  review: { type: parallel, flow: a | b }
loops:
  again: { body: c, count: 2 }
swarms:
  desk: { type: handoff, agents: [a] }
swarm: { flow: review >> again }
`;
const start = (selected: string[]) => {
  const editor = createEditor(source, emptyLayout, {});
  editor.select(selected);
  return editor;
};

describe("the flow bar", () => {
  it.each([
    [[], null, "review >> again"],
    [["review"], "review", "a | b"],
    [["again"], "again", "c"],
    [["review/a"], null, "review >> again"],
    [["desk"], null, "review >> again"],
    [["review", "again"], null, "review >> again"],
  ])("shows what is selected, else the root: %j", (selected, owner, text) => {
    const state = start(selected).store.getState();
    expect([barOwner(state), barText(state)]).toEqual([owner, text]);
  });

  it("writes where it shows, in one undo step", () => {
    const editor = start(["review"]);
    const written = writeFlowLine(editor.store.getState().flow, "a | b >> c", "demo:x", "review");
    if (!written.ok) throw new Error(written.messages.join());
    expect(editor.dispatch(written.edits)).toBeNull();
    expect(editor.store.getState().text).toContain("flow: a | b >> c");
    editor.undo();
    expect(editor.store.getState().text).toBe(source);
  });

  it("says what is wrong while a line is typed", () => {
    const { flow } = start([]).store.getState();
    expect(findMistake(flow, null, "a >> (b")).toContain("(");
    expect([findMistake(flow, null, "a >> b"), findMistake(flow, "review", "a | b")]).toEqual([null, null]);
  });
});

import { describe, expect, it } from "vitest";
import { applyChanges } from "@/lib/core/flow/text-change";
import { openEditor } from "../../state/testing/open-editor";
import { emptyHint, findLineOwner, findLineProblems, flowLine, writeFlowLine } from "./line-scope";

const source = `agents:
  a: { model: "demo:x" }
  b: { model: "demo:x" }
  critic: { model: "demo:x" }
groups:
  review: { type: parallel, flow: a | b }
loops:
  again: { body: critic, count: 2 }
swarms:
  desk: { type: handoff, agents: [a] }
swarm: { flow: review >> again }
`;
const start = (selected: string[], text = source) => {
  const editor = openEditor(text);
  editor.select(selected);
  return editor;
};
const written = (owner: string | null, line: string, newAgents: string[] = []) => ({ owner, line, newAgents });

describe("the part of the flow that the bar shows", () => {
  it.each([
    [[], null, "review >> again"],
    [["review"], "review", "a | b"],
    [["again"], "again", "critic"],
    [["review/a"], null, "review >> again"],
    [["desk"], null, "review >> again"],
    [["review", "again"], null, "review >> again"],
  ])("is what is selected, else the root: %j", (selected, owner, text) => {
    const state = start(selected).store.getState();
    expect([findLineOwner(state).owner, flowLine(state, owner)]).toEqual([owner, text]);
  });

  it("explains why a drawing has no line, and how to write one in an empty flow", () => {
    const draft = source.replace("{ flow: review >> again }", "{ edges: [[a, b], [a, critic], [review, critic]] }");
    expect(emptyHint(start([], draft).store.getState().flow, null)).toMatch(/^No single line/);
    expect(emptyHint(start([], "").store.getState().flow, null)).toContain(">>");
  });
});

describe("a line", () => {
  const { flow } = start([]).store.getState();

  it("is written where it shows, in one undo step", () => {
    const editor = start(["review"]);
    const result = writeFlowLine(flow, written("review", "a | b >> critic"), "demo:x");
    if (!result.ok) throw new Error(result.messages.join());
    expect(editor.dispatch(result.edits)).toBeNull();
    expect(editor.store.getState().text).toContain("flow: a | b >> critic");
    editor.undo();
    expect(editor.store.getState().text).toBe(source);
  });

  it("declares the names that were chosen to be new agents, and no others", () => {
    const editor = start(["review"]);
    const result = writeFlowLine(flow, written("review", "a | fresh | other", ["fresh", "gone"]), "demo:y");
    if (!result.ok) throw new Error(result.messages.join());
    editor.dispatch(result.edits);
    const { agents, groups, swarm } = editor.store.getState().flow;
    expect([...agents.keys()]).toEqual(["a", "b", "critic", "fresh"]);
    expect(agents.get("fresh")?.model).toBe("demo:y");
    expect([groups.size, swarm.agents]).toEqual([1, undefined]);
    expect(editor.store.getState().text).toContain("swarm: { flow: review >> again }");
  });

  it("declares every name of a flow without agents", () => {
    const empty = start([], "swarm: { type: workflow }\n").store.getState().flow;
    const result = writeFlowLine(empty, written(null, "x >> y"), "demo:x");
    expect(result.ok && result.edits.map(({ type }) => type)).toEqual(["add-agent", "add-agent", "set-flow-text"]);
    expect(findLineProblems(empty, written(null, "x >> y"))).toEqual([]);
  });

  it("has mistakes of form, and a repair that mends them", () => {
    expect(findLineProblems(flow, written("review", "a | b"))).toEqual([]);
    const line = "review >> (a";
    const [problem] = findLineProblems(flow, written(null, line));
    expect(problem).toMatchObject({ code: "unbalanced-parenthesis", severity: "error", range: { from: 10, to: 11 } });
    expect(findLineProblems(flow, written(null, applyChanges(line, problem?.fix?.changes ?? [])))).toEqual([]);
    expect(writeFlowLine(flow, written(null, line), "demo:x").ok).toBe(false);
  });

  it("names what is nothing yet, with the name that was meant", () => {
    const [near, far, ...others] = findLineProblems(flow, written(null, "critik >> stranger >> fresh", ["fresh"]));
    expect(others).toEqual([]);
    expect(near).toMatchObject({ code: "unknown-name", severity: "warning", range: { from: 0, to: 6 } });
    expect(near?.fix).toEqual({ title: "Write critic", changes: [{ from: 0, to: 6, insert: "critic" }] });
    expect([far?.severity, far?.range, far?.fix]).toEqual(["info", { from: 10, to: 18 }, undefined]);
  });
});

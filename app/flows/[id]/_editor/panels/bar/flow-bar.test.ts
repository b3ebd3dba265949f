import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCameraPort } from "@/app/_canvas/state/camera";
import { createCanvasStore } from "@/app/_canvas/state/canvas-store";
import { createFlowActions } from "../../state/flow-actions";
import { openEditor } from "../../state/testing/open-editor";
import { createViewState } from "../../state/view";
import { findMistake } from "./describe-bar";
import { createFlowBar } from "./flow-bar";

const source = `agents:
  a: { model: "demo:x" }
  b: { model: "demo:x" }
  c: { model: "demo:x" }
groups:
  review: { type: parallel, flow: a | b }
swarm: { flow: review >> c }
`;
function start() {
  const editor = openEditor(source);
  const actions = createFlowActions(editor, {
    view: createViewState({ shownRun: null, lastRun: null, lastInput: "" }),
    canvas: createCanvasStore(editor),
    camera: createCameraPort(),
    defaultModel: () => "demo:x",
    nextNoteId: () => "note",
    notify: () => {},
  });
  const bar = createFlowBar({ editor, actions });
  return { editor, bar, now: () => editor.store.getState() };
}

describe("the flow bar", () => {
  it("applies what was written as one step of the one history", () => {
    const { editor, bar, now } = start();
    bar.lock();
    bar.type("c >> review");
    expect([now().text, bar.read().line, bar.read().text]).toEqual([source, "c >> review", "review >> c"]);
    bar.apply();
    expect(now().text).toContain("flow: c >> review");
    expect(now().selection).toEqual([]);
    editor.undo();
    expect([now().text, bar.read().line, now().history.canUndo]).toEqual([source, "review >> c", false]);
  });

  it("refuses a half-typed operator and leaves the flow as it is", () => {
    const { bar, now } = start();
    for (const line of ["review >> c -", "review >> c >", "review >> c >> ", "review >> c ->"]) {
      bar.type(line);
      bar.apply();
      expect([line, now().text, bar.read().refused.length]).toEqual([line, source, 1]);
    }
  });

  it("discards what was typed, and returns whether there was something", () => {
    const { bar } = start();
    expect(bar.discard()).toBe(false);
    bar.type("c");
    expect([bar.discard(), bar.read().line]).toEqual([true, "review >> c"]);
  });

  it("keeps a wrong line with its reason, wherever the selection goes, until it is mended or taken back", () => {
    const { editor, bar, now } = start();
    bar.type("c >> (review");
    expect(findMistake(bar.read())).toContain("(");
    bar.apply();
    bar.unlock();
    editor.select(["review"]);
    expect(bar.read()).toMatchObject({ owner: null, line: "c >> (review" });
    expect(bar.read().refused.join()).toContain("(");
    expect([findMistake(bar.read()), now().text]).toEqual([null, source]);
    bar.type("c >> (review)");
    expect(bar.read().refused).toEqual([]);
    bar.apply();
    expect(now().text).toContain("c >> (review)");
  });

  it("shows a change from elsewhere at once", () => {
    const { editor, bar } = start();
    editor.dispatch([{ type: "rename", from: "c", to: "d" }]);
    expect(bar.read()).toMatchObject({ line: "review >> d", refused: [] });
  });

  it("keeps what is being typed when the line is changed elsewhere, and applies both", () => {
    const { editor, bar, now } = start();
    bar.type("review >> c >> x");
    bar.addNewAgent("x");
    editor.dispatch([{ type: "rename", from: "c", to: "d" }]);
    expect(bar.read()).toMatchObject({ text: "review >> d", line: "review >> d >> x", refused: [] });
    bar.apply();
    expect(now().text).toContain("flow: review >> d >> x");
    bar.type("a >> review >> d >> x");
    editor.replace(now().text.replace("flow: review >> d >> x", "flow: a >> review >> d >> x"), now().layout);
    expect([bar.read().line === bar.read().text, bar.discard()]).toEqual([true, false]);
  });

  it("shows the same part for as long as it is held, whatever is selected", () => {
    const { editor, bar } = start();
    bar.lock();
    bar.selectNode("review");
    expect([bar.read().owner, bar.read().marked]).toEqual([null, ["review"]]);
    bar.unlock();
    expect([bar.read().owner, bar.read().line, bar.read().marked]).toEqual(["review", "a | b", []]);
    bar.lock();
    bar.selectNode("b");
    expect([editor.store.getState().selection, bar.read().owner]).toEqual([["review/b"], "review"]);
    expect(bar.read().marked).toEqual(["b"]);
    bar.unlock();
    expect([bar.read().owner, bar.read().marked]).toEqual([null, ["review"]]);
  });

  it("lets go of a part that has no flow any more", () => {
    const { editor, bar } = start();
    editor.select(["review"]);
    bar.lock();
    editor.dispatch([{ type: "inline", scope: { type: "root" }, name: "review" }]);
    expect(bar.read()).toMatchObject({ owner: null, line: "(a | b) >> c" });
  });

  it("makes chosen names agents", () => {
    const { bar, now } = start();
    bar.type("review >> c >> fresh");
    bar.addNewAgent("fresh");
    expect(bar.read().problems).toEqual([]);
    bar.apply();
    expect([...now().flow.agents.keys()]).toEqual(["a", "b", "c", "fresh"]);
  });

  it("returns the same object and calls no listener while nothing changes", () => {
    const { editor, bar } = start();
    let calls = 0;
    const stop = bar.subscribe(() => calls++);
    const before = bar.read();
    editor.store.setState({ step: null });
    expect([bar.read() === before, calls]).toEqual([true, 0]);
    editor.select(["c"]);
    expect([bar.read() === before, calls]).toEqual([false, 1]);
    stop();
    editor.select([]);
    expect(calls).toBe(1);
  });

  it("property: undoing everything restores the text, and the line is that of the flow or what was typed", () => {
    const line = fc.constantFrom("c", "review >> c", "(a | b)", "a >> (b", "c >> new", "");
    const acts = fc.array(fc.tuple(fc.constantFrom("type", "apply", "back", "undo", "hold", "go", "select"), line));
    fc.assert(
      fc.property(acts, (steps) => {
        const { editor, bar, now } = start();
        for (const [act, text] of steps) {
          if (act === "type") bar.type(text);
          else if (act === "apply") bar.apply();
          else if (act === "back") bar.discard();
          else if (act === "undo") editor.undo();
          else if (act === "hold") bar.lock();
          else if (act === "go") bar.unlock();
          else editor.select(["review"]);
          if (act === "type") expect(bar.read().line).toBe(text);
          if (act === "back") expect(bar.read().line).toBe(bar.read().text);
        }
        while (now().history.canUndo) editor.undo();
        expect(now().text).toBe(source);
      }),
    );
  });
});

import { describe, expect, it } from "vitest";
import { editorCommands, findCommand } from "../../commands/registry";
import { openSession } from "../../state/testing/open-session";
import { canvasKeys, findCanvasKey } from "./canvas-keys";

const plain = { code: "", ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
const find = (stroke: Partial<typeof plain> & { key: string }, singleKeys = true): string | null => {
  const handler = findCanvasKey({ ...plain, ...stroke }, singleKeys);
  const keys = canvasKeys.find(({ handlers }) => Object.values(handlers).some((candidate) => candidate === handler));
  return findCommand({ ...plain, ...stroke }, "canvas", singleKeys)?.id ?? keys?.title ?? null;
};

describe("keys of the canvas", () => {
  it("redo with Ctrl+Shift+Z whatever case the letter has", () => {
    const findAnywhere = (stroke: Partial<typeof plain> & { key: string }) =>
      find(stroke) ?? findCommand({ ...plain, ...stroke }, "editor")?.id;
    for (const key of ["z", "Z"]) expect(findAnywhere({ key, ctrlKey: true, shiftKey: true })).toBe("redo");
    expect(findAnywhere({ key: "z", metaKey: true })).toBe("undo");
    expect(findAnywhere({ key: "y", ctrlKey: true })).toBe("redo");
  });

  it("move with Alt and Shift, and resize with Ctrl and Shift", () => {
    expect(find({ key: "ArrowUp", altKey: true, shiftKey: true })).toMatch(/^Move the card/);
    expect(find({ key: "ArrowDown", ctrlKey: true, shiftKey: true })).toMatch(/^Resize the note/);
  });

  it.each([
    ["right", "ArrowRight", "flow: a >> new >> b"],
    ["right", "ArrowLeft", "flow: new >> a >> b"],
    ["right", "ArrowDown", "flow: (a | new) >> b"],
    ["right", "ArrowUp", "flow: (new | a) >> b"],
    ["down", "ArrowDown", "flow: a >> new >> b"],
    ["down", "ArrowUp", "flow: new >> a >> b"],
    ["down", "ArrowRight", "flow: (a | new) >> b"],
  ] as const)("add an agent towards the arrow: in a flow that runs %s, %s", (direction, key, line) => {
    const source = 'agents: { a: { model: "demo:x" }, b: { model: "demo:x" } }\nswarm:\n  flow: a >> b\n';
    const session = openSession(source, { layout: { pins: {}, direction } });
    session.editor.select(["a"]);
    findCanvasKey({ ...plain, key, ctrlKey: true })?.(session);
    expect(session.editor.store.getState().text.replaceAll(/agent(_2)?\b/g, "new")).toContain(line);
    session.editor.undo();
    expect(session.editor.store.getState().text).toBe(source);
  });

  it("leave out single characters when they are switched off, and no others", () => {
    for (const key of ["c", "e", "p", "?"]) {
      expect(find({ key })).not.toBeNull();
      expect(find({ key }, false)).toBeNull();
    }
    for (const key of ["Enter", " ", "Delete", "ArrowDown", "Escape"]) expect(find({ key }, false)).not.toBeNull();
  });

  it("leave the browser its keys", () => {
    for (const key of ["r", "t", "w"]) expect(find({ key, ctrlKey: true })).toBeNull();
    expect(find({ key: "ArrowLeft", altKey: true })).toBeNull();
    expect(find({ key: "Tab" })).toBeNull();
    expect(find({ key: "constructor" })).toBeNull();
  });

  it("share no chord with a command of the canvas", () => {
    const chords = canvasKeys.flatMap(({ handlers }) => Object.keys(handlers));
    const commandChords = editorCommands.flatMap((command) => command.chords?.canvas ?? []);
    expect(new Set([...chords, ...commandChords]).size).toBe(chords.length + commandChords.length);
  });
});

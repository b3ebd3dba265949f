import { describe, expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { noteKey } from "@/lib/core/flow/note";
import { activeKey } from "../state/active-node";
import { zoomStep } from "../state/camera";
import { findPictureKey } from "./picture-keys";
import { createPictureSession } from "./picture-session";

const source = `name: Desk
agents:
  a: { model: "demo:a" }
  b: { model: "demo:b" }
  c: { model: "demo:c" }
groups:
  both: { type: parallel, flow: "b | c" }
swarm: { flow: a >> both }
`;
const note = { x: 0, y: 300, width: 200, height: 80, text: "Ask Ann", color: "yellow" } as const;
const layout = { ...emptyLayout, notes: { n1: note } };
const open = (selected: string | null = null) => {
  const picture = createPictureSession({ source, layout, selected });
  const heard: (string | null)[] = [];
  picture.listen((key) => heard.push(key));
  const selection = () => picture.editor.store.getState().selection;
  return { picture, heard, selection };
};

describe("a picture of a flow", () => {
  it("selects the chosen card and notifies the listener; null deselects", () => {
    const { picture, heard, selection } = open();
    picture.choose("both/b");
    expect(selection()).toEqual(["both/b"]);
    picture.choose("a");
    expect(selection()).toEqual(["a"]);
    picture.choose(null);
    expect(selection()).toEqual([]);
    expect(heard).toEqual(["both/b", "a", null]);
  });

  it("goes to a note without selecting it", () => {
    const { picture, heard, selection } = open();
    picture.choose("a");
    picture.choose(noteKey("n1"));
    expect(selection()).toEqual(["a"]);
    expect(activeKey(picture)).toBe(noteKey("n1"));
    picture.choose("a");
    expect(activeKey(picture)).toBe("a");
    expect(heard).toEqual(["a", "a"]);
  });

  it("shows what was selected elsewhere, in view, without saying so; what is not there counts as nothing", () => {
    const { picture, heard, selection } = open("both/c");
    expect(selection()).toEqual(["both/c"]);
    const revealed: string[] = [];
    const ignore = () => {};
    picture.camera.attach({
      open: ignore,
      fit: ignore,
      showActualSize: ignore,
      zoomBy: ignore,
      reveal: (key) => void revealed.push(key),
      find: () => {},
    });
    picture.show("a");
    expect(selection()).toEqual(["a"]);
    expect(revealed).toEqual(["a"]);
    for (const unknown of ["gone", "", noteKey("n1")]) {
      picture.show(unknown);
      expect(selection()).toEqual([]);
    }
    expect(heard).toEqual([]);
  });

  it("shows of a text with a mistake what can be read, and nothing of one that cannot be read", () => {
    const partly = createPictureSession({ source: `${source}limits: { max_seconds: [`, layout, selected: null });
    expect(partly.editor.store.getState().arrangement.nodes.map(({ name }) => name)).toContain("a");
    const broken = createPictureSession({ source: 'agents: { a: "', layout: emptyLayout, selected: "a" });
    const { arrangement, problems, selection } = broken.editor.store.getState();
    expect(arrangement.nodes).toEqual([]);
    expect(selection).toEqual([]);
    expect(problems.some(({ severity }) => severity === "error")).toBe(true);
  });
});

const stroke = { code: "", ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };

describe("folded groups of a picture", () => {
  it("unfold for what is selected in them, and by hand", () => {
    const picture = createPictureSession({ source, layout: { ...layout, folded: ["both"] }, selected: null });
    const keys = () => picture.editor.store.getState().arrangement.nodes.map(({ key }) => key);
    expect(keys()).toEqual(["a", "both"]);
    picture.show("both/c");
    expect([keys().length, picture.editor.store.getState().selection]).toEqual([4, ["both/c"]]);
    picture.fold(["both"], true);
    expect([keys(), picture.editor.store.getState().selection]).toEqual([["a", "both"], []]);
  });
});

describe("the keys of a picture", () => {
  it("leave alone what would change the flow, and the browser's own zoom", () => {
    for (const key of ["Delete", "Backspace", "Insert", " ", "c", "e", "t", "p", "s", "n", "u", "i", "f", "/", "?"])
      expect(findPictureKey({ ...stroke, key }), key).toBeNull();
    for (const key of ["z", "y", "a", "d", "f", "g", "+", "-", "ArrowDown", "ArrowRight"])
      expect(findPictureKey({ ...stroke, key, ctrlKey: true }), `Ctrl ${key}`).toBeNull();
    expect(findPictureKey({ ...stroke, key: "ArrowDown", altKey: true, shiftKey: true })).toBeNull();
  });

  it("zoom, unless single keys are switched off", () => {
    const { picture } = open("a");
    const calls: unknown[] = [];
    picture.camera.attach({
      open: () => calls.push("open"),
      fit: (keys) => calls.push(["fit", keys]),
      reveal: () => {},
      find: () => {},
      showActualSize: () => calls.push("actual size"),
      zoomBy: (factor) => calls.push(factor),
    });
    const press = (pressed: Partial<typeof stroke> & { key: string }, singleKeys?: boolean) => {
      calls.length = 0;
      findPictureKey({ ...stroke, ...pressed }, singleKeys)?.(picture);
      return calls;
    };
    expect(press({ key: "+", shiftKey: true })).toEqual([zoomStep]);
    expect(press({ key: "=" })).toEqual([zoomStep]);
    expect(press({ key: "-" })).toEqual([1 / zoomStep]);
    expect(press({ key: "0" })).toEqual(["actual size"]);
    expect(press({ key: "!", code: "Digit1", shiftKey: true })).toEqual([["fit", undefined]]);
    expect(press({ key: "@", code: "Digit2", shiftKey: true })).toEqual([["fit", ["a"]]]);
    for (const key of ["+", "-", "0"]) expect(press({ key }, false)).toEqual([]);
    expect(press({ key: "0", ctrlKey: true }, false)).toEqual(["actual size"]);
  });

  it("walk the cards as in the editor, with and without Shift, and let go with Escape", () => {
    const { picture, heard } = open();
    const press = (key: string, shiftKey = false) => findPictureKey({ ...stroke, key, shiftKey })?.(picture);
    for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft"]) press(key);
    press("ArrowLeft", true);
    expect(heard).toEqual(["a", "both", "both/b", "both/c", "both", "a"]);
    expect(press("ArrowLeft")).toBe(false);
    press("End");
    expect(activeKey(picture)).toBe(noteKey("n1"));
    expect(press("Escape")).toBe(true);
    expect(heard.at(-1)).toBeNull();
    expect(press("Escape")).toBe(false);
    press("Enter");
    expect(heard.at(-1)).toBe("a");
  });
});

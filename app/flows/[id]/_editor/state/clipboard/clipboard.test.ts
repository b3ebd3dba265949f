import { describe, expect, it } from "vitest";
import { fragmentMark } from "@/lib/core/source/fragment/copy-fragment";
import { type InsertTarget, toInsertEdit } from "../edits/insert-target";
import { rootFlowText } from "../root-flow-text";
import { openEditor } from "../testing/open-editor";
import { readPasted, toClipboardText } from "./clipboard";
import { pasteNotes } from "./paste-notes";

const text = `agents:
  a: { model: "demo:x" }
  b: { model: "demo:x" }
  c: { model: "demo:x" }
groups:
  both: { type: parallel, flow: "b | c" }
swarm:
  flow: a >> both
`;

/** An editor in which these cards are selected. */
function open(source: string, ...keys: string[]) {
  const editor = openEditor(source);
  editor.select(keys);
  const state = () => editor.store.getState();
  const paste = (fragment: string, target: InsertTarget = { type: "selection" }) =>
    editor.dispatch([toInsertEdit(state(), fragment, target)]);
  return { editor, state, paste, flow: () => rootFlowText(state()) };
}

describe("the clipboard", () => {
  it("holds what is selected, a frame once with all its members", () => {
    const copied = toClipboardText(open(text, "a", "both", "both/b").state()) ?? "";
    expect(copied.startsWith(fragmentMark)).toBe(true);
    expect(copied).toContain("flow: a >> both");
    expect(toClipboardText(open(text).state())).toBeNull();
  });

  it("carries a part into another flow, and twice into the same one", () => {
    const copied = toClipboardText(open(text, "a", "both").state()) ?? "";
    const other = open("");
    expect(other.paste(copied)).toBeNull();
    expect(other.flow()).toBe("a >> both");
    expect(other.paste(copied)).toBeNull();
    expect(other.flow()).toBe("a >> both >> a_2 >> both_2");
    expect(other.state().flow.groups.get("both_2")?.flow).toMatchObject({
      members: [{ name: "b_2" }, { name: "c_2" }],
    });
    expect(other.state().selection).toEqual(["a_2", "both_2"]);
    other.editor.undo();
    expect(other.flow()).toBe("a >> both");
  });

  it("duplicates beside, in the frame that holds the cards", () => {
    const own = open(text, "both/b");
    expect(own.paste(toClipboardText(own.state()) ?? "", { type: "beside", keys: ["both/b"] })).toBeNull();
    expect(own.state().text).toContain("b | b_2 | c");
    expect(own.flow()).toBe("a >> both");
  });
});

describe("copied notes", () => {
  const note = { x: 0, y: 0, width: 200, height: 100, text: "One\n# two: {", color: "blue" } as const;
  const withNote = (...keys: string[]) => {
    const { editor, state } = open(text);
    editor.dispatch([{ type: "add-note", id: "n", note }]);
    editor.select(keys);
    return readPasted(toClipboardText(state()) ?? "", "demo:x");
  };

  it("go with the cards, or alone", () => {
    expect(withNote("/n/")).toEqual({ type: "fragment", text: "", notes: [note] });
    const both = withNote("a", "/n/");
    expect(both).toEqual({ type: "fragment", text: toClipboardText(open(text, "a").state()), notes: [note] });
  });

  it("come in beside what lies at their place, under ids of their own", () => {
    const others = { note: { ...note }, note_2: { ...note, x: 24, y: 24 } };
    const ids = ["a", "b"];
    const { edits, keys } = pasteNotes(others, [note, note], () => ids.shift() ?? "");
    expect(keys).toEqual(["/a/", "/b/"]);
    expect(edits).toMatchObject([{ note: { x: 48, y: 48 } }, { note: { x: 72, y: 72 } }]);
  });

  it("are left out where they make no sense", () => {
    const wrong = [`{"x":0}`, "a remark", JSON.stringify({ ...note, width: 9e9 })].map((one) => `# Note ${one}\n`);
    expect(readPasted(`${fragmentMark}\n${wrong.join("")}`, "")).toMatchObject({ type: "fragment", notes: [] });
  });
});

describe("a pasted text", () => {
  it("is a fragment, a flow on one line, or a foreign text", () => {
    expect(readPasted(`  ${fragmentMark}\nagents: {}`, "demo:x").type).toBe("fragment");
    expect(readPasted("x >> (y | z)", "demo:x")).toEqual({
      type: "fragment",
      notes: [],
      text: 'agents:\n  "x": { model: "demo:x" }\n  "y": { model: "demo:x" }\n  "z": { model: "demo:x" }\nswarm:\n  flow: "x >> (y | z)"\n',
    });
    for (const foreign of ["hello", "name: x\nagents: {}", "a >> a", "a >>", '{"agents": ">>"}', "swarm = a >> b"])
      expect(readPasted(foreign, "demo:x")).toEqual({ type: "foreign" });
    expect(readPasted(" \n", "demo:x")).toEqual({ type: "nothing" });
  });
});

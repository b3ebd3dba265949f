import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Edit, emptyLayout } from "@/lib/core/flow/edit";
import { packReading } from "@/lib/core/source/read/pack-reading";
import { isSourceDocument } from "@/lib/core/source/read/source-document";
import { unpackReading } from "@/lib/core/source/read/unpack-reading";
import { readSource } from "@/lib/core/source/read-source";
import { openEditor } from "../testing/open-editor";
import { createEditor } from "./editor";

const source = `# kept
name: Test
agents:
  plan: { model: "demo:x" } # first
  write: { model: "demo:x" }
swarm:
  type: workflow
  flow: plan >> write
`;
const root = { type: "root" } as const;
const start = (text = source) => {
  const notices: string[] = [];
  const editor = openEditor(text, { onNotice: (notice) => notices.push(notice) });
  return { editor, notices, state: () => editor.store.getState() };
};
const add = (name: string, after?: string): Edit => ({
  type: "add-agent",
  name,
  model: "demo:x",
  scope: root,
  ...(after === undefined ? {} : { after }),
});

describe("typing an operator", () => {
  const pictureOf = ({ arrangement: { nodes, edges } }: ReturnType<ReturnType<typeof start>["state"]>) => ({
    nodes,
    edges,
  });

  it.each(["->", ">>", "=>", "--", "|"])("changes no picture until the text is valid again: %s", (operator) => {
    const { editor, state } = start();
    const picture = pictureOf(state());
    let line = "plan >> write";
    for (const key of ` ${operator} `) {
      line += key;
      editor.typeText(source.replace("plan >> write", line));
      expect([line, pictureOf(state())]).toEqual([line, picture]);
      expect([...state().flow.agents.keys()]).toEqual(["plan", "write"]);
    }
    editor.typeText(source.replace("plan >> write", "plan >> write >> check"));
    expect(state().arrangement.nodes.map(({ name }) => name)).toEqual(["plan", "write", "check"]);
  });

  it("changes no picture in the middle of a line", () => {
    const { editor, state } = start();
    const picture = pictureOf(state());
    for (const line of ["plan - >> write", "plan -> >> write", "plan >  >> write", "plan >> >> write"]) {
      editor.typeText(source.replace("plan >> write", line));
      expect([line, pictureOf(state())]).toEqual([line, picture]);
    }
  });
});

describe("notes", () => {
  const note = { x: 0, y: 0, width: 200, height: 100, text: "", color: "yellow" } as const;
  const write = (text: string): Edit => ({ type: "change-note", id: "n", change: { text } });

  it("written without a pause are one step, and move no card", () => {
    const { editor, state } = start();
    const { arrangement } = state();
    editor.dispatch([{ type: "add-note", id: "n", note }]);
    for (const text of ["W", "Wh", "Why"]) editor.dispatch([write(text)]);
    expect(state().layout.notes?.n?.text).toBe("Why");
    expect([state().arrangement, state().text]).toEqual([arrangement, source]);
    expect(state().arrangement).toBe(arrangement);
    editor.dispatch([{ type: "change-note", id: "n", change: { color: "pink" } }]);
    editor.undo();
    expect(state().layout.notes?.n).toEqual({ ...note, text: "Why" });
    editor.undo();
    expect(state().layout.notes?.n).toEqual(note);
    editor.undo();
    expect(state().layout.notes).toBeUndefined();
    editor.redo();
    editor.redo();
    expect(state().layout.notes?.n?.text).toBe("Why");
  });

  it("can be selected beside cards until they are gone", () => {
    const { editor, state } = start();
    editor.dispatch([{ type: "add-note", id: "n", note }]);
    editor.select(["/n/", "plan"]);
    editor.typeText(state().text.replaceAll("write", "writes"));
    expect(state().selection).toEqual(["/n/", "plan"]);
    editor.dispatch([{ type: "remove-note", id: "n" }]);
    expect(state().selection).toEqual(["plan"]);
    expect(editor.dispatch([write("late")])?.code).toBe("unknown-name");
  });
});

describe("an editor", () => {
  it("turns edits into text and picture, and selects what was made", () => {
    const { editor, state } = start();
    expect(editor.dispatch([add("check", "plan")])).toBeNull();
    expect(state().text).toContain("flow: plan >> check >> write");
    expect(state().text).toContain("# first");
    expect(state().arrangement.nodes.map((node) => node.key)).toContain("check");
    expect(state().selection).toEqual(["check"]);
    expect(state().change?.before).toBe(source);
  });

  it("does all edits of a command or none, in one undo step", () => {
    const { editor, state } = start();
    const problem = editor.dispatch([add("check"), { type: "connect", scope: root, from: "check", to: "stranger" }]);
    expect(problem?.message).toContain("stranger");
    expect([state().text, state().history.canUndo]).toEqual([source, false]);
    editor.dispatch([add("check"), { type: "connect", scope: root, from: "write", to: "check" }]);
    expect(state().text).toContain("plan >> write >> check");
    editor.undo();
    expect([state().text, state().history.canUndo]).toEqual([source, false]);
    editor.redo();
    expect(state().text).toContain("plan >> write >> check");
  });

  it("has one history for typing and drawing", () => {
    const { editor, state } = start();
    editor.typeText(source.replace("Test", "Tested"));
    editor.dispatch([add("check", "write")]);
    expect(state().flow.name).toBe("Tested");
    editor.undo();
    editor.undo();
    expect([state().text, state().flow.name]).toEqual([source, "Test"]);
  });

  it("makes typing at two places two steps, and at one place one", () => {
    const { editor, state } = start();
    const end = (text: string, more: string) => text + more;
    editor.typeText(end(source, "#"));
    editor.typeText(end(source, "# a"));
    editor.typeText(end(source, "# ab"));
    const top = `x${end(source, "# ab")}`;
    editor.typeText(top);
    editor.undo();
    expect(state().text).toBe(end(source, "# ab"));
    editor.undo();
    expect(state().text).toBe(source);
  });

  it("keeps the last good picture while the text is broken, with its problems", () => {
    const { editor, state } = start();
    editor.typeText(source.replace("agents:", "agents: ["));
    expect(state().document.unreadableRanges).toHaveLength(1);
    expect(state().arrangement.nodes.map((node) => node.key)).toEqual(["plan", "write"]);
    expect(state().problems.some((problem) => problem.severity === "error")).toBe(true);
    const text = state().text;
    expect(editor.dispatch([add("check")])?.code).toBe("yaml-syntax");
    expect(state().text).toBe(text);
  });

  it("takes a text with an alias that has no end, keeps the picture, and undoes it", () => {
    const { editor, state } = start();
    editor.typeText(source.replace('plan: { model: "demo:x" }', "plan: { output_schema: &s { x: *s } }"));
    expect(state().problems).toMatchObject([{ code: "yaml-syntax" }]);
    expect(state().flow.agents.get("plan")?.model).toBe("demo:x");
    editor.undo();
    expect([state().text, state().problems]).toEqual([source, []]);
    editor.redo();
    expect(state().problems).toMatchObject([{ code: "yaml-syntax" }]);
  });

  it("carries pins and selection along when a name is typed over", () => {
    const { editor, state } = start();
    editor.dispatch([{ type: "set-pin", key: "write", pin: { dx: 5, dy: 6 } }]);
    editor.select(["write"]);
    editor.typeText(state().text.replaceAll("write", "writes"));
    expect(state().layout.pins).toEqual({ writes: { dx: 5, dy: 6 } });
    expect(state().selection).toEqual(["writes"]);
    editor.undo();
    expect(state().layout.pins).toEqual({ write: { dx: 5, dy: 6 } });
  });

  it("lets go of a selection that is gone", () => {
    const { editor, state } = start();
    editor.selectEdge(state().arrangement.edges[0]?.key ?? null);
    expect(state().edge).not.toBeNull();
    editor.typeText(source.replace("plan >> write", "plan"));
    expect(state().edge).toBeNull();
    editor.select(["write"]);
    editor.typeText(source.replace('  write: { model: "demo:x" }\n', "").replace("plan >> write", "plan"));
    expect(state().selection).toEqual([]);
  });

  it("reports side effects of an edit", () => {
    const checked = source.replace("swarm:", '  check: { model: "demo:x" }\nswarm:');
    const { editor, notices, state } = start(checked.replace("plan >> write", "plan >> (write | check)"));
    expect(editor.dispatch([{ type: "connect", scope: root, from: "write", to: "check" }])).toBeNull();
    expect(state().text).toContain("plan >> write >> check");
    expect(notices).toEqual([expect.stringContaining("plan → check")]);
  });

  it("survives any sequence of typing, edits, undo and redo, and undoes to the first state", () => {
    const step = fc.oneof(
      fc.record({
        type: fc.constant("type" as const),
        at: fc.nat(200),
        text: fc.constantFrom("a", "\n", ": ", "[", ""),
      }),
      fc.record({
        type: fc.constant("add" as const),
        name: fc.constantFrom("x", "y", "__proto__"),
        after: fc.constantFrom("plan", "write"),
      }),
      fc.constant({ type: "undo" as const }),
      fc.constant({ type: "redo" as const }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const { editor, state } = start();
        for (const one of steps) {
          if (one.type === "undo") editor.undo();
          else if (one.type === "redo") editor.redo();
          else if (one.type === "add") editor.dispatch([add(one.name, one.after)]);
          else {
            const { text } = state();
            const at = Math.min(one.at, text.length);
            editor.typeText(text.slice(0, at) + one.text + text.slice(at));
          }
          expect(state().document.text).toBe(state().text);
        }
        for (let i = 0; i < 60 && state().history.canUndo; i++) editor.undo();
        expect(state().text).toBe(source);
      }),
      { numRuns: 60 },
    );
  });
});

describe("a flow that the server has read", () => {
  const reading = packReading(readSource(source, {}));
  const receive = () => createEditor(unpackReading(source, reading), emptyLayout, {});

  it("is drawn as it is, and has its places in the text once it is opened", () => {
    const { store, open } = receive();
    const { arrangement, flow } = store.getState();
    expect(flow).toEqual(readSource(source).flow);
    open();
    const { document, arrangement: after } = store.getState();
    expect(isSourceDocument(document) && document.rangeOf("write")).not.toBeNull();
    expect(after).toBe(arrangement);
  });

  it("is changed and restored byte for byte", () => {
    const { store, open, dispatch, undo } = receive();
    open();
    expect(dispatch([add("check", "write")])).toBeNull();
    expect(store.getState().text).toContain("plan >> write >> check");
    undo();
    expect(store.getState().text).toBe(source);
  });
});

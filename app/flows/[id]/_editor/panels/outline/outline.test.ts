import { describe, expect, it } from "vitest";
import type { MoveWay } from "@/lib/core/flow/move-in-expression";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { listVisible, outlineFlow } from "@/lib/core/layout/outline";
import { indexNodes } from "@/lib/core/layout/scene/node-index";
import { flowOf } from "@/lib/core/layout/testing/flow-of";
import { editorCommands, findCommand } from "../../commands/registry";
import { openEditor } from "../../state/testing/open-editor";
import { countNodeProblems, describeProblemCount, nameRow, noProblems } from "./describe-row";
import { toMoveEdits } from "./move-gesture";
import { findOutlineKey, findRowByPrefix, outlineKeys, readTypedCharacter } from "./outline-keys";
import { findActive, followSelection, startOutline, toggleRow } from "./use-outline-tree";

const flow = flowOf("plan >> review >> (x | y) >> write", { review: ["parallel", "ann | ben"] }, ["idle"]);
const outline = outlineFlow(flow);
const stroke = { code: "", ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };

describe("the words of a row", () => {
  it("describe its kind and how its children are joined", () => {
    expect(outline.items.map(nameRow)).toEqual([
      "Flow Test, in series",
      "Agent plan",
      "Parallel group review, in parallel",
      "Agent ann",
      "Agent ben",
      "In parallel",
      "Agent x",
      "Agent y",
      "Agent write",
      "Not in the flow yet",
      "Agent idle",
    ]);
  });

  it("count what is wrong", () => {
    const problem = { code: "missing-model", message: "", nodes: ["a"] } as const;
    const problems = [
      { ...problem, severity: "error" } as const,
      { ...problem, severity: "warning" } as const,
      { ...problem, severity: "warning" } as const,
    ];
    expect(describeProblemCount(countNodeProblems(problems).get("a") ?? noProblems)).toBe("1 error, 2 warnings");
    expect(describeProblemCount(countNodeProblems(problems).get("b") ?? noProblems)).toBe("");
  });
});

describe("followSelection", () => {
  it("opens what holds a node that was selected elsewhere", () => {
    const closed = { ...startOutline, closed: new Set(["review", "#waiting"]) };
    const followed = followSelection(closed, outline, { selection: ["review/ben"], edge: null });
    expect(followed.active).toBe("review/ben");
    expect([...followed.closed]).toEqual(["#waiting"]);
    expect(followSelection(followed, outline, followed.followedSelection)).toBe(followed);
  });

  it("keeps its row when nothing is selected", () => {
    const followed = followSelection({ ...startOutline, active: "plan" }, outline, { selection: [], edge: null });
    expect(followed.active).toBe("plan");
  });
});

describe("toggleRow", () => {
  it("takes the active row along when it disappears", () => {
    const inside = { ...startOutline, active: "review/ann" };
    const toggled = toggleRow(inside, outline, "review");
    expect(toggled.active).toBe("review");
    expect(findActive(outline, listVisible(outline, toggled.closed), toggled.active)).toBe(2);
    expect(toggleRow(toggled, outline, "review").closed.size).toBe(0);
  });
});

describe("the keys of the outline", () => {
  const find = (keys: Partial<typeof stroke> & { key: string }): string | null => {
    const handler = findOutlineKey({ ...stroke, ...keys });
    const entry = outlineKeys.find(({ handlers }) => Object.values(handlers).some((own) => own === handler));
    return (
      findCommand({ ...stroke, ...keys }, "outline")?.id ?? entry?.title ?? readTypedCharacter({ ...stroke, ...keys })
    );
  };

  it("move rows with Alt, add with Ctrl, and type names", () => {
    expect(find({ key: "ArrowUp", altKey: true })).toBe("Move among its siblings");
    expect(find({ key: "ArrowDown", ctrlKey: true })).toBe("add-agent");
    expect(find({ key: "w" })).toBe("w");
    expect(find({ key: "F10", shiftKey: true })).toBe("All actions for the row");
    expect(find({ key: "z", ctrlKey: true })).toBeNull();
    expect(find({ key: "Tab" })).toBeNull();
  });

  it("share no chord with a command of the outline", () => {
    const chords = outlineKeys.flatMap(({ handlers }) => Object.keys(handlers));
    const commandChords = editorCommands.flatMap((command) => command.chords?.outline ?? []);
    expect(new Set([...chords, ...commandChords]).size).toBe(chords.length + commandChords.length);
  });

  it("find a row by the beginning of its name, round and round", () => {
    const rows = listVisible(outline, new Set());
    const titleAt = (at: number) => outline.items[rows[at] ?? -1]?.label;
    expect(titleAt(findRowByPrefix(outline, rows, 0, "w"))).toBe("write");
    expect(titleAt(findRowByPrefix(outline, rows, 9, "BE"))).toBe("ben");
    expect(findRowByPrefix(outline, rows, 0, "zz")).toBe(-1);
  });
});

describe("moveNode", () => {
  const source = `name: Moves
agents: { a: { model: "demo:a" }, b: { model: "demo:b" }, c: { model: "demo:c" }, d: { model: "demo:d" } } # kept
groups:
  both: { type: parallel, flow: "b | c" }
swarm:
  flow: a >> both >> d # why
`;
  const move = (key: string, way: MoveWay) => {
    const editor = openEditor(source);
    const { flow: read, layout } = editor.store.getState();
    const gesture = toMoveEdits(read, indexNodes(arrangeFlow(read, layout)), key, way);
    if (!gesture.ok) return gesture.message;
    expect(editor.dispatch(gesture.edits)).toBeNull();
    const lines = editor.store.getState().text.split("\n");
    editor.undo();
    expect(editor.store.getState().text).toBe(source);
    return [lines[3]?.trim(), lines[5]?.trim()];
  };

  it("changes only the lines of the places it names, and is undone in one step", () => {
    expect(move("d", "up")).toEqual(['both: { type: parallel, flow: "b | c" }', "flow: a >> d >> both # why"]);
    expect(move("both/b", "down")).toEqual(['both: { type: parallel, flow: "c | b" }', "flow: a >> both >> d # why"]);
  });

  it("goes out of a named group and into one", () => {
    expect(move("both/c", "out")).toEqual(['both: { type: parallel, flow: "b" }', "flow: a >> both >> c >> d # why"]);
    expect(move("d", "in")).toEqual(['both: { type: parallel, flow: "b | c | d" }', "flow: a >> both # why"]);
  });

  it("explains why it is impossible", () => {
    expect(move("a", "up")).toBe('"a" is first already.');
    expect(move("a", "out")).toContain("no group");
  });
});

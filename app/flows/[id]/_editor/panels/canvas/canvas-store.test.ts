import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createCanvasStore, mountSome } from "@/app/_canvas/state/canvas-store";
import { flowOf } from "@/lib/core/layout/testing/flow-of";
import { writeSource } from "@/lib/core/source/write-source";
import { openEditor } from "../../state/testing/open-editor";

const rows = Array.from({ length: 20 }, (_, row) => Array.from({ length: 20 }, (_, i) => `a${row}_${i}`).join(" >> "));
const open = () => {
  const editor = openEditor(writeSource(flowOf(`(${rows.join(" | ")})`)));
  const canvas = createCanvasStore(editor);
  return { editor, canvas, stop: canvas.follow() };
};
const near = { x: 0, y: 0, width: 1440, height: 900 };
const all = { x: 0, y: 0, width: 6000, height: 2200 };

/** Frames that are asked for, to be played by hand. */
let frames: (() => void)[] = [];
const playFrame = (): void => frames.shift()?.();

beforeEach(() => {
  frames = [];
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", (callback: () => void) => frames.push(callback));
  vi.stubGlobal("cancelAnimationFrame", () => {
    frames = [];
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("createCanvasStore", () => {
  it("mounts nothing before it is looked at, then forty a frame until all are there", () => {
    const { canvas } = open();
    expect(canvas.getState().nodes).toEqual([]);
    canvas.setVisibleArea(near);
    expect(canvas.getState().nodes).toHaveLength(40);
    const { waiting } = canvas.getState();
    expect(waiting).toBeGreaterThan(0);
    playFrame();
    expect(canvas.getState().waiting).toBe(Math.max(0, waiting - 40));
    while (frames.length > 0) playFrame();
    expect(canvas.getState().nodes).toHaveLength(40 + waiting);
  });

  it("mounts nothing in the overview, and leaves its picture until the cards are there", () => {
    const { canvas } = open();
    canvas.setVisibleArea(all);
    expect(canvas.getState()).toMatchObject({ overview: true, covered: true, nodes: [], edges: [] });
    canvas.setVisibleArea(near);
    expect(canvas.getState()).toMatchObject({ overview: true, covered: true, nodes: [] });
    vi.advanceTimersByTime(200);
    expect(canvas.getState()).toMatchObject({ overview: false, covered: true });
    while (frames.length > 0) playFrame();
    expect(canvas.getState()).toMatchObject({ overview: false, covered: false, waiting: 0 });
  });

  it("mounts no more while the user zooms: the painted picture fills the gaps", () => {
    const { canvas } = open();
    canvas.setVisibleArea({ ...near, width: 700, height: 400 });
    while (frames.length > 0) playFrame();
    const { nodes } = canvas.getState();
    canvas.setVisibleArea(near);
    expect(canvas.getState()).toMatchObject({ nodes, covered: true });
    vi.advanceTimersByTime(200);
    while (frames.length > 0) playFrame();
    expect(canvas.getState().nodes.length).toBeGreaterThan(nodes.length);
    expect(canvas.getState().covered).toBe(false);
  });

  it("keeps what is held wherever the view goes", () => {
    const { canvas } = open();
    canvas.setVisibleArea(near);
    canvas.keepMounted(["a0_0"]);
    canvas.setVisibleArea({ ...near, x: 4000 });
    while (frames.length > 0) playFrame();
    expect(canvas.getState().nodes.map((node) => node.id)).toContain("a0_0");
    canvas.keepMounted([]);
    expect(canvas.getState().nodes.map((node) => node.id)).not.toContain("a0_0");
  });

  it("follows edits: what is new in view is mounted, what is gone is not", () => {
    const { canvas, editor, stop } = open();
    canvas.setVisibleArea(near);
    while (frames.length > 0) playFrame();
    editor.dispatch([{ type: "rename", from: "a0_0", to: "first" }]);
    while (frames.length > 0) playFrame();
    const ids = canvas.getState().nodes.map((node) => node.id);
    expect([ids.includes("first"), ids.includes("a0_0")]).toEqual([true, false]);
    stop();
    editor.select(["a1_0"]);
    expect(canvas.getState().nodes.find((node) => node.id === "a1_0")?.selected).toBe(false);
  });

  it("mounts the notes that are near, and none in the overview", () => {
    const { editor, canvas } = open();
    const note = { x: 0, y: 0, width: 200, height: 100, text: "", color: "blue" } as const;
    editor.dispatch([
      { type: "add-note", id: "near", note },
      { type: "add-note", id: "far", note: { ...note, x: 90_000 } },
    ]);
    const papers = () => canvas.getState().nodes.flatMap(({ id, type }) => (type === "note" ? [id] : []));
    canvas.setVisibleArea(near);
    while (canvas.getState().waiting > 0) playFrame();
    expect(papers()).toEqual(["/near/"]);
    editor.dispatch([{ type: "change-note", id: "far", change: { x: 300 } }]);
    while (canvas.getState().waiting > 0) playFrame();
    expect(papers()).toEqual(["/near/", "/far/"]);
    canvas.setVisibleArea(all);
    expect([canvas.getState().overview, papers()]).toEqual([true, []]);
    expect(canvas.visibleArea()).toEqual(all);
  });

  it("gives no link that lacks an end", () => {
    const { canvas } = open();
    canvas.setVisibleArea(near);
    const { nodes, edges } = canvas.getState();
    const ids = new Set(nodes.map((node) => node.id));
    expect(edges.length).toBeGreaterThan(10);
    for (const { source, target } of edges) expect([ids.has(source), ids.has(target)]).toEqual([true, true]);
  });
});

describe("mountSome", () => {
  const isThere = (key: string): boolean => ["a", "b", "c"].includes(key);
  it("keeps the set when nothing changes, and leaves out what is not there", () => {
    const mounted = new Set(["a", "b"]);
    expect(mountSome(["b", "a", "gone", "a"], mounted, isThere).mounted).toBe(mounted);
    expect([...mountSome(["c"], mounted, isThere).mounted]).toEqual(["c"]);
    expect([...mountSome([], mounted, isThere).mounted]).toEqual([]);
  });
});

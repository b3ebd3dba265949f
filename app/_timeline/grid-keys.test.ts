import { describe, expect, test } from "vitest";
import type { RunEvent } from "@/lib/core/run/events";
import { emptyRunState, foldEvents } from "@/lib/core/trace/fold";
import { toRows } from "@/lib/core/trace/spans";
import { toGridMove } from "./grid-keys";

const start = (id: number, parent?: number): RunEvent => ({
  seq: id,
  at: id,
  type: "node.started",
  id,
  ...(parent === undefined ? {} : { parent }),
  path: `p${id}`,
  kind: "agent",
  name: `n${id}`,
  input: { text: "" },
});

/** 1 holds 2 (which holds 3) and 4. */
const state = foldEvents(emptyRunState, [start(1), start(2, 1), start(3, 2), start(4, 1)]);
const rows = toRows(state, new Set());

describe("toGridMove", () => {
  test.each([
    ["ArrowDown", 0, { go: 1 }],
    ["ArrowDown", 3, { go: 3 }],
    ["ArrowUp", 0, { go: 0 }],
    ["ArrowUp", 2, { go: 1 }],
    ["Home", 3, { go: 0 }],
    ["End", 0, { go: 3 }],
    ["ArrowRight", 1, { go: 2 }],
    ["ArrowRight", 2, null],
    ["ArrowLeft", 1, { toggle: 2, closed: true }],
    ["ArrowLeft", 2, { go: 1 }],
    ["ArrowLeft", 3, { go: 0 }],
    ["Enter", 2, { open: true }],
    ["a", 0, null],
    ["constructor", 0, null],
  ])("%s on row %d", (key, at, move) => expect(toGridMove(key, rows, at)).toEqual(move));

  test("a closed row opens before it is entered, and leads to its parent", () => {
    const closed = toRows(state, new Set([2]));
    expect(closed.map(({ node }) => node.id)).toEqual([1, 2, 4]);
    expect(toGridMove("ArrowRight", closed, 1)).toEqual({ toggle: 2, closed: false });
    expect(toGridMove("ArrowLeft", closed, 1)).toEqual({ go: 0 });
  });

  test("does nothing where there is no row", () => {
    expect(toGridMove("ArrowDown", [], 0)).toBeNull();
    expect(toGridMove("ArrowLeft", rows, 9)).toBeNull();
  });

  test("a closed root has no parent to go to", () => {
    expect(toGridMove("ArrowLeft", toRows(state, new Set([1])), 0)).toBeNull();
  });
});

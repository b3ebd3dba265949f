import { describe, expect, test } from "vitest";
import { Trace } from "@/lib/core/trace/model/trace";
import { allOpen, toRows } from "@/lib/core/trace/timeline/span-rows";
import { toGridMove } from "./grid-keys";
import { toStepRows } from "./grid-rows";

/** 1 holds 2 (which holds 3) and 4. */
function createTrace(): Trace {
  const trace = new Trace();
  const start = (id: number, parent?: number): void =>
    trace.start({ id, path: `p${id}`, kind: "agent", name: `n${id}`, at: id, ...(parent && { parent }) });
  start(1);
  start(2, 1);
  start(3, 2);
  start(4, 1);
  return trace;
}

const trace = createTrace();
const rowsOf = (toggled: readonly number[]) => {
  const folding = { ...allOpen, toggled: new Set(toggled) };
  return toStepRows(trace, toRows(trace, folding), folding);
};
const press = (key: string, at: number, { rows = rowsOf([]), singleKeys = true, held = {} } = {}) =>
  toGridMove({ key, altKey: false, ctrlKey: false, metaKey: false, ...held }, rows, at, singleKeys);

describe("toGridMove", () => {
  test.each([
    ["ArrowDown", 0, { type: "go", row: 1 }],
    ["ArrowDown", 3, { type: "go", row: 3 }],
    ["ArrowUp", 0, { type: "go", row: 0 }],
    ["ArrowUp", 2, { type: "go", row: 1 }],
    ["Home", 3, { type: "go", row: 0 }],
    ["End", 0, { type: "go", row: 3 }],
    ["PageDown", 0, { type: "go", row: 3 }],
    ["PageUp", 3, { type: "go", row: 0 }],
    ["ArrowRight", 1, { type: "go", row: 2 }],
    ["ArrowRight", 2, null],
    ["ArrowLeft", 1, { type: "toggle", row: 1 }],
    ["ArrowLeft", 2, { type: "go", row: 1 }],
    ["ArrowLeft", 3, { type: "go", row: 0 }],
    ["Enter", 2, { type: "open" }],
    ["3", 0, { type: "depth", depth: 3 }],
    ["e", 0, { type: "depth", depth: null }],
    ["]", 0, { type: "error", by: 1 }],
    ["N", 0, { type: "hit", by: -1 }],
    ["j", 0, { type: "run", by: 1 }],
    ["0", 0, { type: "whole" }],
    ["q", 0, null],
    ["constructor", 0, null],
  ])("%s on row %d", (key, at, move) => expect(press(key, at)).toEqual(move));

  test("a closed row opens before it is entered, and leads to its parent", () => {
    const rows = rowsOf([1]);
    expect(rows.length).toBe(3);
    expect(press("ArrowRight", 1, { rows })).toEqual({ type: "toggle", row: 1 });
    expect(press("ArrowLeft", 1, { rows })).toEqual({ type: "go", row: 0 });
    expect(press("ArrowLeft", 0, { rows: rowsOf([0]) })).toBeNull();
  });

  test("with Alt the arrows go to siblings", () => {
    const held = { altKey: true };
    expect(press("ArrowRight", 1, { held })).toEqual({ type: "go", row: 3 });
    expect(press("ArrowLeft", 3, { held })).toEqual({ type: "go", row: 1 });
    expect(press("ArrowRight", 2, { held })).toBeNull();
    expect(press("ArrowDown", 0, { held })).toBeNull();
  });

  test("single keys can be switched off, and keys of the browser are left to it", () => {
    for (const key of ["3", "e", "]", " ", "?"]) expect(press(key, 0, { singleKeys: false })).toBeNull();
    expect(press("ArrowDown", 0, { singleKeys: false })).toEqual({ type: "go", row: 1 });
    for (const held of [{ ctrlKey: true }, { metaKey: true }]) expect(press("f", 0, { held })).toBeNull();
  });
});

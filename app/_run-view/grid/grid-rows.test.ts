import { describe, expect, it } from "vitest";
import { noUsage } from "@/lib/core/run/events/usage";
import { Trace } from "@/lib/core/trace/model/trace";
import { toGroups } from "@/lib/core/trace/timeline/span-groups";
import { allOpen, toRows } from "@/lib/core/trace/timeline/span-rows";
import { toRowMark, toRowValues } from "../waterfall/row-values";
import { toGroupRows, toStepRows } from "./grid-rows";

/** A swarm of two agents, the first with a call that failed. */
function createTrace(): Trace {
  const trace = new Trace();
  trace.setRun({ status: "FAILED", startedAt: 1000, endedAt: 1900 });
  trace.start({ id: 1, path: "/", kind: "swarm", name: "Bench", at: 1000 });
  trace.start({ id: 2, path: "a", kind: "agent", name: "writer", at: 1100, parent: 1 });
  trace.start({ id: 3, path: "a#1", kind: "llm_call", name: "openai:x", at: 1100, parent: 2 });
  trace.start({ id: 4, path: "b", kind: "agent", name: "critic", at: 1500, parent: 1 });
  const usage = { ...noUsage, input: 10, output: 5, calls: 1, cost: null };
  trace.end(2, { at: 1400, status: "FAILED", usage, code: "server" });
  for (const span of [1, 3, 0]) trace.end(span, { at: 1900, status: "SUCCESS", usage: noUsage });
  return trace;
}

const trace = createTrace();
const stepsOf = (toggled: readonly number[]) => {
  const folding = { ...allOpen, toggled: new Set(toggled) };
  return toStepRows(trace, toRows(trace, folding), folding);
};
const source = { trace, rows: stepsOf([]), origin: 1000, timeOf: () => 7, moment: null };

describe("rows of steps", () => {
  it("follow their parents, and find steps by row and rows by step", () => {
    const rows = stepsOf([]);
    expect(
      Array.from({ length: rows.length }, (_, at) => [rows.spanAt(at), rows.depthAt(at), rows.isOpenAt(at)]),
    ).toEqual([
      [0, 1, true],
      [1, 2, true],
      [2, 3, null],
      [3, 2, null],
    ]);
    expect([rows.find(3), rows.find(99), rows.spanAt(99), rows.groupAt(0)]).toEqual([3, -1, -1, undefined]);
  });

  it("leave out what is below a closed one", () => {
    const rows = stepsOf([1]);
    expect([rows.length, rows.isOpenAt(1), rows.find(2)]).toEqual([3, false, -1]);
  });
});

describe("rows of groups", () => {
  it("show the steps of those that were opened", () => {
    const groups = toGroups(trace, "agent", 1900);
    const closed = toGroupRows(groups, { ...allOpen, toggled: new Set() });
    expect([closed.length, closed.spanAt(0), closed.isOpenAt(0)]).toEqual([groups.length, -1, false]);
    const open = toGroupRows(groups, { ...allOpen, toggled: new Set([closed.foldIdAt(0)]) });
    expect(open.length).toBe(groups.length + (groups[0]?.spans.length ?? 0));
    expect([open.depthAt(1), open.groupAt(1), open.find(open.spanAt(1))]).toEqual([2, undefined, 1]);
    expect(toRowValues({ ...source, rows: closed }, 0)).toMatchObject({
      kind: "group-of-steps",
      depth: 1,
      isOpen: false,
    });
  });
});

describe("toRowValues", () => {
  it("has the usage of a step and whether a descendant failed", () => {
    expect(toRowValues(source, 1)).toEqual({
      kind: "agent",
      name: "writer",
      depth: 2,
      isOpen: true,
      status: "SUCCESS",
      failedBelow: true,
      warnings: 0,
      warnedBelow: false,
      tokens: 15,
      cost: null,
      calls: 1,
      time: 7,
      began: 100,
      attempts: 0,
    });
  });

  it("marks a step with a warning, and faintly those above it; what failed comes first", () => {
    const warned = new Trace();
    warned.start({ id: 1, path: "/", kind: "swarm", name: "Bench", at: 1000 });
    warned.start({ id: 2, path: "a", kind: "agent", name: "writer", at: 1100, parent: 1 });
    warned.start({ id: 3, path: "a#1", kind: "llm_call", name: "openai:x", at: 1100, parent: 2 });
    warned.start({ id: 4, path: "b", kind: "agent", name: "critic", at: 1500, parent: 1 });
    warned.addWarning(2, { code: "answer-cut", message: "Cut." });
    for (const [span, at] of [2, 1, 3, 0].entries())
      warned.end(at, { at: 1600 + span * 100, status: at === 0 ? "FAILED" : "SUCCESS", usage: noUsage });
    const all = { ...source, trace: warned, rows: toStepRows(warned, toRows(warned, allOpen), allOpen) };
    const values = [0, 1, 2, 3].map((row) => toRowValues(all, row));
    expect(values.map(({ warnings, warnedBelow }) => [warnings, warnedBelow])).toEqual([
      [0, true],
      [0, true],
      [1, false],
      [0, false],
    ]);
    expect(values.map(toRowMark)).toEqual([
      { icon: "FAILED", isPale: false },
      { icon: "warning", isPale: true },
      { icon: "warning", isPale: false },
      null,
    ]);
    expect(toRowMark(toRowValues({ ...all, moment: 1200 }, 2))).toEqual({ icon: "RUNNING", isPale: false });
  });

  it("has the status of a step at a moment", () => {
    const statuses = (moment: number) => [0, 1, 2, 3].map((row) => toRowValues({ ...source, moment }, row).status);
    expect(statuses(1200)).toEqual(["RUNNING", "RUNNING", "RUNNING", null]);
    expect(statuses(1400)).toEqual(["RUNNING", "RUNNING", "FAILED", null]);
    expect(statuses(1900)).toEqual(["SUCCESS", "SUCCESS", "FAILED", "SUCCESS"]);
  });
});

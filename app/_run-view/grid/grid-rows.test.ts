import { describe, expect, it } from "vitest";
import { noUsage } from "@/lib/core/run/events/usage";
import { Trace } from "@/lib/core/trace/model/trace";
import { toGroups } from "@/lib/core/trace/timeline/span-groups";
import { allOpen, toRows } from "@/lib/core/trace/timeline/span-rows";
import { runTime, wallTime } from "@/lib/core/trace/timeline/wall-time";
import { type RowValues, toRowMark, toRowValues } from "../waterfall/row-values";
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
  trace.end(1, { at: 1500, status: "SUCCESS", usage: noUsage });
  for (const span of [3, 0]) trace.end(span, { at: 1900, status: "SUCCESS", usage: noUsage });
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

describe("rows of steps that ran at once", () => {
  const createParallel = (): Trace => {
    const trace = new Trace();
    trace.setRun({ status: "FAILED", startedAt: 0, endedAt: 400 });
    trace.start({ id: 1, path: "/", kind: "swarm", name: "Bench", at: 0 });
    const starts = [0, 100, 100, 300];
    starts.forEach((start, index) => {
      const id = 2 + 2 * index;
      trace.start({ id, path: `a${index}`, kind: "agent", name: `a${index}`, at: start, parent: 1 });
      trace.start({ id: id + 1, path: `a${index}#1`, kind: "llm_call", name: "demo:x", at: start, parent: id });
    });
    const ends = [100, 300, 200, 400];
    ends.forEach((end, index) => {
      const usage = { ...noUsage, input: 10 + index, output: 5, calls: 1, cost: 0.001 * (index + 1) };
      trace.end(2 + 2 * index, { at: end, status: index === 2 ? "FAILED" : "SUCCESS", usage });
      trace.end(1 + 2 * index, { at: end, status: index === 2 ? "FAILED" : "SUCCESS", usage: noUsage });
    });
    trace.end(0, { at: 400, status: "FAILED", usage: noUsage });
    return trace;
  };
  const parallel = createParallel();
  const rowsOf = (toggled: readonly number[], notReached: readonly string[] = []) => {
    const folding = { ...allOpen, toggled: new Set(toggled) };
    return toStepRows(parallel, toRows(parallel, folding), folding, notReached);
  };
  const valuesOf = (rows: ReturnType<typeof rowsOf>) => {
    const timeOf = (span: number): number => wallTime(parallel, span, 0);
    return Array.from({ length: rows.length }, (_, row) =>
      toRowValues({ trace: parallel, rows, origin: 0, timeOf, moment: null }, row),
    );
  };

  it("are below a row of their own, which opens and closes", () => {
    const rows = rowsOf([]);
    expect(valuesOf(rows).map(({ name, depth }) => `${depth} ${name}`)).toEqual([
      "1 Bench",
      "2 a0",
      "3 demo:x",
      "2 2 at once",
      "3 a1",
      "4 demo:x",
      "3 a2",
      "4 demo:x",
      "2 a3",
      "3 demo:x",
    ]);
    expect([rows.spanAt(3), rows.isOpenAt(3), rows.find(3)]).toEqual([-1, true, 4]);
    const closed = rowsOf([rows.foldIdAt(3)]);
    expect(valuesOf(closed).map(({ name }) => name)).toEqual(["Bench", "a0", "demo:x", "2 at once", "a3", "demo:x"]);
    expect([closed.isOpenAt(3), closed.find(3), closed.find(7)]).toEqual([false, -1, 4]);
  });

  it("have the sums of their members, and all rows those of what is below them", () => {
    const values = valuesOf(rowsOf([]));
    const sumBelow = (at: number, value: (row: RowValues) => number): number => {
      const depth = values[at]?.depth ?? 0;
      let sum = 0;
      for (let row = at + 1; row < values.length && (values[row]?.depth ?? 0) > depth; row++) {
        const below = values[row];
        if (below?.depth === depth + 1) sum += value(below);
      }
      return sum;
    };
    values.forEach((row, at) => {
      if (row.kind === "llm_call") return;
      expect(
        sumBelow(at, ({ tokens }) => tokens),
        row.name,
      ).toBe(row.tokens);
      expect(
        sumBelow(at, ({ cost }) => cost ?? 0),
        row.name,
      ).toBeCloseTo(row.cost ?? -1, 12);
      expect(
        sumBelow(at, ({ calls }) => calls),
        row.name,
      ).toBe(row.calls);
    });
    const { input, output, cost } = parallel.usageOf(0);
    expect([values[0]?.tokens, values[0]?.cost]).toEqual([input + output, cost]);
    expect(values[0]?.time).toBe(runTime(parallel, 0, 0));
    expect(values[3]).toMatchObject({ kind: "parallel", status: "FAILED", began: 100, time: 200 });
  });

  it("agents that were not reached come last", () => {
    const rows = rowsOf([], ["writer"]);
    const last = rows.length - 1;
    expect(valuesOf(rows)[last]).toMatchObject({ kind: "not-reached", name: "writer", status: null, tokens: 0 });
    expect([rows.spanAt(last), rows.isOpenAt(last), rows.depthAt(last)]).toEqual([-1, null, 2]);
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
      isReused: false,
      began: 100,
      attempts: 0,
    });
  });

  it("marks a step with a warning, and faintly those above it; what failed comes first", () => {
    const warned = new Trace();
    warned.start({ id: 1, path: "/", kind: "swarm", name: "Bench", at: 1000 });
    warned.start({ id: 2, path: "a", kind: "agent", name: "writer", at: 1100, parent: 1 });
    warned.start({ id: 3, path: "a#1", kind: "llm_call", name: "openai:x", at: 1100, parent: 2 });
    warned.start({ id: 4, path: "b", kind: "agent", name: "critic", at: 1700, parent: 1 });
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

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { noUsage } from "../run/usage";
import { emptyRunState } from "./fold";
import type { RunNode, RunState } from "./run-state";
import { rangeOf, toBar, toRows, toSegments, toTicks } from "./spans";

const node = (
  id: number,
  parent: number | undefined,
  from: number,
  to?: number,
  rest: Partial<RunNode> = {},
): RunNode => ({
  id,
  ...(parent === undefined ? {} : { parent }),
  path: `n${id}`,
  kind: "agent",
  name: `n${id}`,
  status: to === undefined ? "RUNNING" : "SUCCESS",
  startedAt: from,
  ...(to === undefined ? {} : { endedAt: to }),
  input: { text: "" },
  output: { text: "" },
  reasoning: "",
  attempts: [],
  usage: noUsage,
  metadata: {},
  simulated: false,
  ...rest,
});
const stateOf = (...nodes: RunNode[]): RunState => ({ ...emptyRunState, nodes });

describe("toRows", () => {
  const state = stateOf(node(1, undefined, 0), node(2, 1, 0), node(3, 1, 0), node(4, 2, 1), node(5, 99, 2));
  it("puts children below their parents, in order of starting", () => {
    expect(toRows(state, new Set()).map((row) => `${row.depth}:${row.node.id}`)).toEqual([
      "1:1",
      "2:2",
      "3:4",
      "2:3",
      "1:5",
    ]);
  });
  it("leaves out what is below a collapsed node", () => {
    const rows = toRows(state, new Set([2, 3]));
    expect(rows.map((row) => row.node.id)).toEqual([1, 2, 3, 5]);
    expect(rows.map((row) => row.collapsed)).toEqual([false, true, false, false]);
  });
});

describe("geometry", () => {
  it("stays inside the box for every shape and width", () => {
    const time = fc.oneof(
      fc.integer({ min: -1e6, max: 1e13 }),
      fc.constantFrom(0, Number.NaN, Number.POSITIVE_INFINITY),
    );
    fc.assert(
      fc.property(
        time,
        time,
        time,
        fc.nat(1e9),
        fc.constantFrom(0, 1, 2, 60, 320, 1920),
        (start, end, from, length, box) => {
          const bar = toBar(start, end, { from, to: from + length }, box);
          expect(bar.x >= 0 && bar.width >= 0 && bar.x + bar.width <= box + 1e-6).toBe(true);
        },
      ),
    );
  });

  it("shows that parallel nodes overlap and serial ones do not", () => {
    const range = { from: 0, to: 100 };
    expect(toBar(0, 50, range, 200)).toEqual({ x: 0, width: 100 });
    expect(toBar(50, 100, range, 200)).toEqual({ x: 100, width: 100 });
    expect(toBar(100, 100, range, 200)).toEqual({ x: 198, width: 2 });
  });

  it("lets what still runs end now", () => {
    expect(rangeOf(stateOf(node(1, undefined, 10), node(2, 1, 20, 30)), 90)).toEqual({ from: 10, to: 90 });
    expect(rangeOf({ ...stateOf(node(1, undefined, 10, 40)), startedAt: 5, endedAt: 41 }, 1000)).toEqual({
      from: 5,
      to: 41,
    });
    expect(rangeOf(emptyRunState, 7)).toEqual({ from: 7, to: 8 });
  });

  it("splits a model call without gaps", () => {
    const error = { code: "rate-limit", message: "slow down" };
    const call = node(1, undefined, 0, 100, {
      kind: "llm_call",
      firstTokenAt: 60,
      attempts: [{ attempt: 1, at: 10, error, waitMs: 20 }],
    });
    expect(toSegments(call, 0)).toEqual([
      { type: "retry", from: 0, to: 30 },
      { type: "first-token", from: 30, to: 60 },
      { type: "generate", from: 60, to: 100 },
    ]);
    expect(toSegments(node(2, undefined, 5), 25)).toEqual([{ type: "work", from: 5, to: 25 }]);
  });

  it("shows the last failure as what it broke off, not as another try", () => {
    const attempts = [{ attempt: 1, at: 90, error: { code: "network", message: "reset" } }];
    expect(toSegments(node(1, undefined, 0, 90, { kind: "llm_call", firstTokenAt: 60, attempts }), 0)).toEqual([
      { type: "first-token", from: 0, to: 60 },
      { type: "generate", from: 60, to: 90 },
    ]);
    expect(toSegments(node(1, undefined, 0, 90, { kind: "llm_call", attempts }), 0)).toEqual([
      { type: "first-token", from: 0, to: 90 },
    ]);
  });

  it("splits any model call into stretches that meet, from its start to its end", () => {
    const time = fc.integer({ min: -100, max: 5000 });
    const attempt = fc.record({ at: time, waitMs: fc.option(fc.nat(3000), { nil: undefined }) });
    fc.assert(
      fc.property(
        time,
        fc.option(time, { nil: undefined }),
        time,
        fc.array(attempt),
        (end, firstTokenAt, now, tries) => {
          const error = { code: "server", message: "busy" };
          const attempts = tries.map((given, i) => ({ ...given, attempt: i + 1, error }));
          const call = node(1, undefined, 0, end, { kind: "llm_call", firstTokenAt, attempts });
          const segments = toSegments(call, now);
          expect(segments.every(({ from, to }) => from < to)).toBe(true);
          const [first] = segments;
          if (end <= 0) expect(segments).toEqual([]);
          else
            expect([first?.from, ...segments.map(({ to }) => to)]).toEqual([
              0,
              ...segments.slice(1).map(({ from }) => from),
              end,
            ]);
        },
      ),
    );
  });

  it("rows of parents that hold each other end as well", () => {
    const ring = stateOf(node(1, 2, 0), node(2, 1, 0), node(3, 3, 0), node(4, undefined, 0));
    expect(toRows(ring, new Set()).map((row) => row.node.id)).toEqual([4]);
  });

  it("100,000 rows, 1,000 deep, in one go", () => {
    const nodes = Array.from({ length: 100_000 }, (_, i) =>
      node(i + 1, i === 0 ? undefined : i % 1000 === 0 ? 1 : i, i),
    );
    const rows = toRows(stateOf(...nodes), new Set());
    expect([rows.length, Math.max(...rows.map((row) => row.depth % 1001))]).toEqual([100_000, 1000]);
  });

  it("marks round times", () => {
    expect(toTicks({ from: 1000, to: 11_000 }, 400)).toEqual([0, 2000, 4000, 6000, 8000, 10_000]);
    expect(toTicks({ from: 0, to: 0 }, 400)).toEqual([0]);
  });
});

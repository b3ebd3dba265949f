import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Trace } from "../model/trace";
import { runEvents, traceOf } from "../testing/trace.arbitrary";
import { toCriticalPath } from "./critical-path";
import { findInFlame, toFlameLayout, visitFlame } from "./flame-layout";
import { idleShare, runRangeOf, toIdleGaps } from "./idle-gaps";
import { allOpen, toRows } from "./span-rows";
import { toBarSegments, toSegments } from "./span-segments";
import { moveInside, toTicks, toTimeScale, zoomRange } from "./time-scale";

const anyNumber = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, 0));
const anyRange = fc.record({ start: anyNumber, end: anyNumber });
const later = fc.nat(100_000).map((ms) => 1_000_000 + ms);
const width = fc.constantFrom(0, 1, 37, 320, 390, 768, 1440, 1920);
/** Gaps in order, without overlaps, inside 0 to 10,000. */
const anyGaps = fc
  .uniqueArray(fc.nat(10_000), { maxLength: 12 })
  .map((all) => all.toSorted((a, b) => a - b))
  .map((all) =>
    Array.from({ length: all.length >> 1 }, (_, at) => ({ start: all[2 * at] ?? 0, end: all[2 * at + 1] ?? 0 })),
  );

describe("the scale of time", () => {
  test("every place is on the line, whatever it is asked", () => {
    fc.assert(
      fc.property(anyRange, anyGaps, anyNumber, (range, gaps, at) => {
        const place = toTimeScale(range, gaps).place(at);
        expect(place).toBeGreaterThanOrEqual(0);
        expect(place).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("keeps the order of times, and goes back to where it came from", () => {
    fc.assert(
      fc.property(anyGaps, fc.nat(10_000), fc.nat(10_000), (gaps, a, b) => {
        const scale = toTimeScale({ start: 0, end: 10_000 }, gaps);
        expect(Math.sign(scale.place(a) - scale.place(b))).toBe(Math.sign(a - b));
        expect(scale.timeAt(scale.place(a))).toBeCloseTo(a, 3);
        expect([scale.place(0), scale.place(10_000)]).toEqual([0, 1]);
      }),
    );
  });

  test("a zoom keeps the time under the pointer, and stays inside the whole", () => {
    fc.assert(
      fc.property(fc.nat(9999), fc.constantFrom(0.01, 0.5, 0.9, 1.1, 3, 1000), (tenThousandth, factor) => {
        const whole = { start: 1000, end: 61_000 };
        const scale = toTimeScale({ start: 11_000, end: 31_000 });
        const at = tenThousandth / 10_000;
        const range = zoomRange(scale, whole, at, factor);
        expect(range.start).toBeGreaterThanOrEqual(whole.start);
        expect(range.end).toBeLessThanOrEqual(whole.end + 1e-6);
        expect(range.end).toBeGreaterThan(range.start);
        const isMoved = range.start === whole.start || Math.abs(range.end - whole.end) < 1e-6;
        if (!isMoved) expect(toTimeScale(range).timeAt(at)).toBeCloseTo(scale.timeAt(at), 3);
      }),
    );
  });

  test("moving a range keeps its length where there is room", () => {
    expect(moveInside({ start: -5, end: 5 }, { start: 0, end: 100 })).toEqual({ start: 0, end: 10 });
    expect(moveInside({ start: 95, end: 105 }, { start: 0, end: 100 })).toEqual({ start: 90, end: 100 });
    expect(moveInside({ start: 0, end: 500 }, { start: 0, end: 100 })).toEqual({ start: 0, end: 100 });
  });

  test("ticks are in order, apart, in the box, and never inside a gap", () => {
    fc.assert(
      fc.property(anyGaps, fc.integer({ min: 100, max: 1920 }), (gaps, box) => {
        const scale = toTimeScale({ start: 0, end: 10_000 }, gaps);
        const ticks = toTicks(scale, 0, box);
        for (const [index, { offset, x }] of ticks.entries()) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(box);
          expect(x - (ticks[index - 1]?.x ?? -1000)).toBeGreaterThanOrEqual(59);
          expect(gaps.some(({ start, end }) => offset > start && offset < end)).toBe(false);
        }
        expect(ticks.length).toBeLessThanOrEqual(box / 60 + 1);
      }),
    );
  });
});

describe("bars and segments", () => {
  test("are inside the box without gaps, wide enough to be seen, for every shape of run, width and zoom", () => {
    const zoomed = fc.record({
      from: fc.double({ min: 0, max: 1, noNaN: true }),
      factor: fc.constantFrom(1, 0.5, 0.001),
    });
    fc.assert(
      fc.property(runEvents, width, later, fc.boolean(), zoomed, (events, box, now, squeeze, zoom) => {
        const trace = traceOf(events);
        const whole = runRangeOf(trace, now);
        const gaps = squeeze ? toIdleGaps(trace, whole, now) : [];
        const scale = toTimeScale(zoomRange(toTimeScale(whole), whole, zoom.from, zoom.factor), gaps);
        for (let span = 0; span < trace.length; span++) {
          const parts = toBarSegments(trace, span, scale, now, box);
          if (zoom.factor === 1) expect(parts).not.toBeNull();
          if (!parts) continue;
          const [first, last] = [parts[0], parts.at(-1)];
          expect(first?.x).toBeGreaterThanOrEqual(0);
          const end = (last?.x ?? Number.NaN) + (last?.width ?? Number.NaN);
          expect(end).toBeLessThanOrEqual(box + 1e-9);
          expect(end - (first?.x ?? Number.NaN)).toBeGreaterThanOrEqual(Math.min(2, box) - 1e-9);
          for (const [at, { x, width: wide }] of parts.entries()) {
            expect(wide).toBeGreaterThanOrEqual(0);
            const before = parts[at - 1];
            if (before) expect(x).toBe(before.x + before.width);
          }
        }
      }),
    );
  });

  test("segments follow each other from the step's start to its end", () => {
    fc.assert(
      fc.property(runEvents, later, (events, now) => {
        const trace = traceOf(events);
        for (let span = 0; span < trace.length; span++) {
          const segments = toSegments(trace, span, now);
          const start = trace.columns.start[span] ?? 0;
          const end = trace.columns.end[span] ?? Number.NaN;
          expect(segments[0]?.from).toBe(start);
          expect(segments.at(-1)?.to).toBe(Number.isNaN(end) ? Math.max(now, start) : end);
          for (const [index, { from, to }] of segments.entries()) {
            expect(to).toBeGreaterThanOrEqual(from);
            if (index > 0) expect(from).toBe(segments[index - 1]?.to);
          }
        }
      }),
    );
  });

  test("gaps lie inside the run, apart from each other, and no model or tool works in one", () => {
    fc.assert(
      fc.property(runEvents, later, (events, now) => {
        const trace = traceOf(events);
        const whole = runRangeOf(trace, now);
        const gaps = toIdleGaps(trace, whole, now);
        expect(idleShare(gaps, whole)).toBeLessThanOrEqual(1);
        for (const [index, gap] of gaps.entries()) {
          expect(gap.start).toBeGreaterThanOrEqual(gaps[index - 1]?.end ?? whole.start);
          expect(gap.end).toBeLessThanOrEqual(whole.end);
          for (let span = 0; span < trace.length; span++) {
            if (!["llm_call", "tool_call"].includes(trace.kindOf(span))) continue;
            const end = trace.columns.end[span] ?? Number.NaN;
            const until = Number.isNaN(end) ? Math.max(now, trace.columns.start[span] ?? 0) : end;
            expect((trace.columns.start[span] ?? 0) >= gap.end || until <= gap.start).toBe(true);
          }
        }
      }),
    );
  });
});

describe("the critical path", () => {
  test("holds the parents of what it holds, and two siblings of it never overlap", () => {
    fc.assert(
      fc.property(runEvents, (events) => {
        const trace = traceOf(events);
        const now = events.at(-1)?.at ?? 0;
        const marked = toCriticalPath(trace, now);
        expect(marked[0]).toBe(1);
        const { parent, start, end } = trace.columns;
        for (let span = 0; span < trace.length; span++) {
          if (!marked[span]) continue;
          const above = parent[span] ?? -1;
          expect(above < 0 || marked[above]).toBeTruthy();
          for (let other = 0; other < span; other++) {
            if (!marked[other] || parent[other] !== above) continue;
            const [a, b] = [other, span].map((one) => ({
              from: start[one] ?? 0,
              to: Number.isNaN(end[one]) ? now : (end[one] ?? 0),
            }));
            expect((a?.to ?? 0) <= (b?.from ?? 0) || (b?.to ?? 0) <= (a?.from ?? 0)).toBe(true);
          }
        }
      }),
    );
  });
});

describe("the flame graph", () => {
  test("no two steps in a lane overlap, children are below their parents, all of it has room", () => {
    fc.assert(
      fc.property(runEvents, later, (events, now) => {
        const trace = traceOf(events);
        const { lane, until, lanes } = toFlameLayout(trace, now);
        const { parent, start } = trace.columns;
        for (let span = 0; span < trace.length; span++) {
          expect(lane[span]).toBeLessThan(lanes);
          const above = parent[span] ?? -1;
          if (above >= 0) expect(lane[span]).toBeGreaterThan(lane[above] ?? 0);
          for (let other = 0; other < span; other++)
            if (lane[other] === lane[span])
              expect((until[other] ?? 0) <= (start[span] ?? 0) || (until[span] ?? 0) <= (start[other] ?? 0)).toBe(true);
        }
      }),
    );
  });

  test("what is drawn lies in the box, and a step that is wide enough is found where it was drawn", () => {
    fc.assert(
      fc.property(runEvents, width, later, (events, box, now) => {
        const trace = traceOf(events);
        const layout = toFlameLayout(trace, now);
        const scale = toTimeScale(runRangeOf(trace, now));
        visitFlame(trace, layout, { scale, width: box, fromLane: 0, toLane: layout.lanes }, (drawn) => {
          expect(drawn.x).toBeGreaterThanOrEqual(0);
          expect(drawn.x + drawn.width).toBeLessThanOrEqual(box + 1);
          if (drawn.width < 12) return;
          const middle = drawn.x + drawn.width / 2;
          expect(findInFlame(trace, layout, { scale, width: box, lane: drawn.lane }, middle)).toBe(drawn.span);
        });
      }),
    );
  });
});

test("an empty trace has no rows, no lanes, no gaps and a whole that is not empty", () => {
  const trace = new Trace();
  expect([...toRows(trace, allOpen)]).toEqual([]);
  expect(toFlameLayout(trace, 0).lanes).toBe(0);
  expect(runRangeOf(trace, 5)).toEqual({ start: 5, end: 6 });
  expect(toIdleGaps(trace, { start: 0, end: 1 }, 0)).toEqual([]);
});

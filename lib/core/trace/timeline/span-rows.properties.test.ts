import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Trace } from "../model/trace";
import { applyBatch, toBatch } from "../model/trace-batch";
import { runEvents, traceOf } from "../testing/trace.arbitrary";
import { failedSteps, filterSpans } from "./span-filter";
import { groupings, toGroups } from "./span-groups";
import { allOpen, OpenRows, openAbove, toRows } from "./span-rows";

const later = fc.nat(100_000).map((ms) => 1_000_000 + ms);

describe("rows", () => {
  test("every span once, each below its parent; a filter keeps parents", () => {
    fc.assert(
      fc.property(runEvents, fc.constantFrom("", "n1", "#llm", "a"), fc.boolean(), (events, query, errorsOnly) => {
        const trace = traceOf(events);
        const rows = [...toRows(trace, allOpen)];
        expect(rows.toSorted((a, b) => a - b)).toEqual(Array.from({ length: trace.length }, (_, span) => span));
        const filtered = filterSpans(trace, query, errorsOnly);
        const left = filtered ? [...toRows(trace, allOpen, filtered.kept)] : rows;
        const shown = new Set<number>();
        for (const span of left) {
          const above = trace.columns.parent[span] ?? -1;
          expect(above < 0 || shown.has(above)).toBe(true);
          shown.add(span);
        }
        for (const hit of filtered?.hits ?? []) expect(shown.has(hit)).toBe(true);
      }),
    );
  });

  test("what is below a closed span is left out, and nothing else", () => {
    fc.assert(
      fc.property(runEvents, fc.nat(5), fc.uniqueArray(fc.nat(40)), (events, depth, toggled) => {
        const trace = traceOf(events);
        const folding = { depth, toggled: new Set(toggled) };
        const isClosed = (span: number): boolean =>
          (trace.columns.depth[span] ?? 0) >= depth !== folding.toggled.has(span);
        const shown = new Set(toRows(trace, folding));
        for (let span = 0; span < trace.length; span++) {
          const above = trace.columns.parent[span] ?? -1;
          expect(shown.has(span)).toBe(above < 0 || (shown.has(above) && !isClosed(above)));
        }
      }),
    );
  });

  test("rows that are kept up to date are those of a new walk, wherever the run is looked at in between", () => {
    fc.assert(
      fc.property(runEvents, fc.uniqueArray(fc.nat(200)), (events, cuts) => {
        const trace = new Trace();
        const rows = new OpenRows();
        for (const [at, event] of events.entries()) {
          const batch = toBatch([event]);
          if (batch) applyBatch(trace, batch);
          if (cuts.includes(at)) expect(rows.of(trace)).toEqual(toRows(trace, allOpen));
        }
        expect(rows.of(trace)).toEqual(toRows(trace, allOpen));
      }),
    );
  });

  test("rows that are kept up to date are those of the trace that is asked for, also after another one", () => {
    fc.assert(
      fc.property(runEvents, runEvents, (before, events) => {
        const [rows, trace] = [new OpenRows(), traceOf(events)];
        rows.of(traceOf(before));
        expect(rows.of(trace)).toEqual(toRows(trace, allOpen));
      }),
    );
  });

  test("a step is shown once everything above it is open, and nothing else is", () => {
    fc.assert(
      fc.property(runEvents, fc.nat(5), fc.uniqueArray(fc.nat(40)), fc.nat(60), (events, depth, toggled, some) => {
        const trace = traceOf(events);
        const span = some % trace.length;
        const before = { depth, toggled: new Set(toggled) };
        const after = { depth, toggled: new Set(openAbove(trace, span, before)) };
        expect([...toRows(trace, after)]).toContain(span);
        const shown = new Set(toRows(trace, before));
        if (shown.has(span)) expect(after).toEqual(before);
      }),
    );
  });

  test("groups hold every agent, tool and model call once", () => {
    fc.assert(
      fc.property(runEvents, later, (events, now) => {
        const trace = traceOf(events);
        const all = groupings.flatMap((by) => toGroups(trace, by, now).flatMap(({ spans }) => spans));
        const wanted = Array.from({ length: trace.length }, (_, span) => span).filter((span) =>
          ["agent", "tool_call", "llm_call"].includes(trace.kindOf(span)),
        );
        expect(all.toSorted((a, b) => a - b)).toEqual(wanted);
      }),
    );
  });

  test("failed steps have no failed step below them", () => {
    fc.assert(
      fc.property(runEvents, (events) => {
        const trace = traceOf(events);
        for (const span of failedSteps(trace)) expect(trace.hasFailedBelow(span)).toBe(false);
      }),
    );
  });
});

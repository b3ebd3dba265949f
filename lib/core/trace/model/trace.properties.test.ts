import fc from "fast-check";
import { expect, test } from "vitest";
import { emptyLayout } from "../../flow/edit";
import type { RunEvent } from "../../run/events/events";
import { listWarnings } from "../../run/events/warnings";
import { type RunFile, readRunFile } from "../file/run-file";
import { toTrace } from "../file/run-file-trace";
import { writeRunFile } from "../testing/run.samples";
import { runEvents, traceOf } from "../testing/trace.arbitrary";
import { emptyRunState, foldEvents } from "./fold-events";
import { Trace } from "./trace";
import { applyBatch, toBatch } from "./trace-batch";
import { fromTraceSnapshot, toTraceSnapshot } from "./trace-snapshot";

/** Everything that a trace knows of its spans. */
const tell = (trace: Trace) => ({
  run: trace.run,
  seq: trace.seq,
  spans: Array.from({ length: trace.length }, (_, span) => ({
    parent: trace.columns.parent[span],
    path: trace.pathOf(span),
    name: trace.nameOf(span),
    kind: trace.kindOf(span),
    status: trace.statusOf(span),
    start: trace.columns.start[span],
    end: trace.columns.end[span],
    firstToken: trace.columns.firstToken[span],
    usage: trace.usageOf(span),
    simulated: trace.isSimulated(span),
    failedBelow: trace.hasFailedBelow(span),
    error: trace.errors.get(span),
    warnings: trace.warnings.get(span),
    isWarned: trace.isWarned(span),
    attempts: trace.attempts.get(span),
    queued: trace.queued.get(span),
    question: trace.questions.get(span),
    text: trace.texts.of(span),
  })),
});

test("has the same steps as the fold of the events", () => {
  fc.assert(
    fc.property(runEvents, (events) => {
      const trace = traceOf(events);
      const state = foldEvents(emptyRunState, events);
      expect(trace.run.status).toBe(state.status);
      expect(trace.run.endedAt).toBe(state.endedAt);
      const told = tell(trace).spans.map(({ path, name, kind, status, start, end }) => ({
        path,
        name,
        kind,
        status,
        start,
        end,
      }));
      expect(told).toEqual(
        state.nodes.map(({ path, name, kind, status, startedAt, endedAt = Number.NaN }) => ({
          path,
          name,
          kind,
          status,
          start: startedAt,
          end: endedAt,
        })),
      );
      const warnings = listWarnings(state.nodes);
      expect(state.warnings).toBe(warnings.length);
      expect(
        [...trace.warnings].flatMap(([span, list]) => list.map((warning) => ({ node: span + 1, ...warning }))),
      ).toEqual(expect.arrayContaining(warnings.map(({ path: _, ...warning }) => warning)));
      expect(trace.isWarned(0)).toBe(warnings.length > 0);
      for (const node of state.nodes.filter(({ kind }) => kind === "llm_call")) {
        const span = node.id - 1;
        expect(trace.usageOf(span)).toEqual(node.usage);
        expect(trace.columns.firstToken[span]).toBe(node.firstTokenAt ?? Number.NaN);
        expect(trace.questions.get(span)?.number).toBe(node.status === "WAITING" ? node.question?.number : undefined);
      }
    }),
  );
});

test("every step's usage is the sum of the calls below it", () => {
  fc.assert(
    fc.property(runEvents, (events) => {
      const trace = traceOf(events);
      const sums = Array.from({ length: trace.length }, () => 0);
      for (let span = trace.length - 1; span >= 0; span--) {
        if (trace.kindOf(span) === "llm_call")
          sums[span] = (sums[span] ?? 0) + (trace.statusOf(span) === "RUNNING" ? 0 : own(trace, span));
        const above = trace.columns.parent[span] ?? -1;
        if (above >= 0) sums[above] = (sums[above] ?? 0) + (sums[span] ?? 0);
      }
      expect(Array.from(trace.columns.input.subarray(0, trace.length))).toEqual(sums);
    }),
  );
});

/** The arbitrary gives a call as many input tokens as its id. */
const own = (trace: Trace, span: number): number => (Number.isNaN(trace.columns.end[span]) ? 0 : span + 1);

test("batches cut anywhere, and sent twice, give the same", () => {
  fc.assert(
    fc.property(runEvents, fc.array(fc.nat(20), { maxLength: 20 }), (events, cuts) => {
      const trace = new Trace();
      let at = 0;
      for (const cut of [...cuts, events.length]) {
        const batch = toBatch(events.slice(at, at + cut));
        at += cut;
        if (!batch) continue;
        const sent: typeof batch = JSON.parse(JSON.stringify(batch));
        applyBatch(trace, sent);
        applyBatch(trace, sent);
      }
      expect(tell(trace)).toEqual(tell(traceOf(events)));
    }),
  );
});

test("written to the wire and read back it is the same", () => {
  fc.assert(
    fc.property(runEvents, (events) => {
      const trace = traceOf(events);
      expect(tell(fromTraceSnapshot(JSON.parse(JSON.stringify(toTraceSnapshot(trace)))))).toEqual(tell(trace));
    }),
  );
});

test("who comes in the middle sees what who was there from the beginning sees", () => {
  fc.assert(
    fc.property(runEvents, fc.nat(60), (events, at) => {
      const late = fromTraceSnapshot(toTraceSnapshot(traceOf(events.slice(0, at))));
      const rest = toBatch(events.slice(at));
      if (rest) applyBatch(late, rest);
      expect(tell(late)).toEqual(tell(traceOf(events)));
    }),
  );
});

/** The run of these events as a file that was read. */
function fileOf(events: readonly RunEvent[]): RunFile {
  const {
    nodes,
    flow: flowName,
    error = null,
    startedAt = null,
    endedAt = null,
    ...run
  } = foldEvents(emptyRunState, events);
  const { status, usage, simulated } = run;
  const texts = { input: { text: "" }, output: { text: "" } };
  const facts = { id: "a", flowName, status, usage, simulated, error, startedAt, endedAt, createdAt: 0, ...texts };
  const read = readRunFile(writeRunFile({ run: facts, source: "", layout: emptyLayout, nodes }));
  if ("problem" in read) throw new Error(read.problem);
  return read;
}

test("the trace of a run file is the same, whenever the file was made", () => {
  const tellSteps = (trace: Trace) => tell(trace).spans.map(({ text: _, ...step }) => step);
  fc.assert(
    fc.property(runEvents, (events) => {
      const [trace, expected] = [toTrace(fileOf(events)), traceOf(events)];
      expect(trace.run).toEqual(expected.run);
      expect(tellSteps(trace)).toEqual(tellSteps(expected));
    }),
  );
});

import { describe, expect, test } from "vitest";
import { AgentNumbers } from "../../flow/agent-numbers";
import { noUsage } from "../../run/events/usage";
import { sampleTrace } from "../testing/trace.samples";
import { Trace } from "./trace";
import { applyBatch, applyChanges, readBatch, type TraceBatch, toBatch } from "./trace-batch";
import { fromTraceSnapshot, toTraceSnapshot, traceSnapshotSchema } from "./trace-snapshot";
import type { TraceView } from "./trace-view";

const end = { at: 50, status: "SUCCESS", usage: noUsage } as const;

describe("starts", () => {
  test("a step that is known, or that would leave a gap, is ignored", () => {
    const trace = sampleTrace([{ start: 0 }, { start: 1 }]);
    for (const id of [0, -1, 1, 2, 4, 1.5, Number.NaN]) trace.start({ id, path: "x", kind: "agent", name: "x", at: 9 });
    expect(trace.length).toBe(2);
    expect(trace.nameOf(1)).toBe("n1");
  });

  test("agents have the colours of the canvas, others the next free one as they first come, also after a snapshot", () => {
    const trace = new Trace({ agents: ["writer", "critic"] });
    const start = (id: number, name: string, kind: "agent" | "llm_call" = "agent") =>
      trace.start({ id, path: `/${id}`, kind, name, at: id });
    start(1, "critic");
    start(2, "demo:writer", "llm_call");
    start(3, "spawned_1");
    start(4, "writer");
    const { byName } = new AgentNumbers(["writer", "critic", "spawned_1"]);
    const expected = [...byName.values(), undefined];
    const numbersIn = (view: TraceView) =>
      ["writer", "critic", "spawned_1", "demo:writer"].map((name) => view.agentNumberOf(name));
    expect(numbersIn(trace)).toEqual(expected);
    expect(numbersIn(trace.view())).toEqual(expected);
    expect(numbersIn(fromTraceSnapshot(toTraceSnapshot(trace)))).toEqual(expected);
  });

  test("a step whose parent does not come before it is a root", () => {
    const trace = sampleTrace([{ start: 0 }]);
    trace.start({ id: 2, parent: 2, path: "a", kind: "agent", name: "a", at: 1 });
    trace.start({ id: 3, parent: 9, path: "b", kind: "agent", name: "b", at: 1 });
    expect([...trace.columns.parent.subarray(0, 3)]).toEqual([-1, -1, -1]);
    expect([...trace.columns.depth.subarray(0, 3)]).toEqual([1, 1, 1]);
    expect([...trace.columns.nextSibling.subarray(0, 3)]).toEqual([1, 2, -1]);
  });

  test.each([
    [["/", "a", "a#llm-1", "a#llm-1#tool-1"]],
    [["/", "review/ann", "review/ben", "other"]],
    [["", "😀", "😀/é", "x"]],
    [["abc", "ab", "abcd", ""]],
  ])("paths %j come back as they were", (paths) => {
    const trace = sampleTrace(paths.map((path, span) => ({ path, parent: Math.max(0, span - 1), start: 0 })));
    expect(paths.map((_, span) => trace.pathOf(span))).toEqual(paths);
  });

  test("a span that does not exist has no path and no usage, and is not open", () => {
    const trace = sampleTrace([{ start: 0 }]);
    expect([trace.pathOf(5), trace.pathOf(-1), trace.isOpen(5), trace.isOpen(-1)]).toEqual(["", "", false, false]);
    expect(trace.usageOf(5)).toEqual({ ...noUsage });
  });
});

describe("ends", () => {
  test("what has ended stays as it ended", () => {
    const trace = sampleTrace([{ start: 0 }, { start: 10, end: 20, status: "FAILED" }]);
    const before = trace.version;
    trace.end(1, { ...end, usage: { ...noUsage, input: 5 } });
    trace.addWarning(1, { code: "answer-cut", message: "late" });
    trace.addAttempt(1, { at: 30, code: "network" });
    trace.addQueueTime(1, 5);
    trace.appendText(1, 30, { text: "late" });
    trace.setQuestion(1, { type: "question", message: "late?", at: 30, number: 9 });
    expect([trace.statusOf(1), trace.columns.end[1], trace.version]).toEqual(["FAILED", 20, before]);
    expect([trace.warnings, trace.attempts, trace.queued, trace.questions].map(({ size }) => size)).toEqual([
      0, 0, 0, 0,
    ]);
    expect(trace.texts.of(1)).toBeUndefined();
  });

  test("a step never ends before it began", () => {
    expect(sampleTrace([{ start: 100, end: 40 }]).columns.end[0]).toBe(100);
    expect(sampleTrace([{ start: 100 }]).endOf(0, 40)).toBe(100);
    expect(sampleTrace([{ start: 100 }]).endOf(0, 140)).toBe(140);
  });

  test("a failure marks everything above it, a cancelled step does not", () => {
    const trace = sampleTrace([{ start: 0 }, { start: 0 }, { parent: 1, start: 0, end: 5, status: "CANCELLED" }]);
    expect(trace.hasFailedBelow(0)).toBe(false);
    trace.end(1, { ...end, status: "TIMEOUT" });
    expect([0, 1, 2].map((span) => trace.hasFailedBelow(span))).toEqual([true, false, false]);
  });

  test("beside a call without a price everything above it keeps the known part of its cost", () => {
    const call = (cost: number | null) =>
      ({ kind: "llm_call", parent: 1, start: 0, end: 1, usage: { cost, input: 2 } }) as const;
    const trace = sampleTrace([{ start: 0 }, { start: 0 }, call(0.5), call(null), { start: 0 }]);
    const partial = { cost: 0.5, isCostPartial: true };
    const costs = [partial, partial, { cost: 0.5 }, { cost: null }, { cost: 0 }];
    expect([0, 1, 2, 3, 4].map((span) => trace.costOf(span))).toEqual(costs);
    expect(trace.usageOf(0).input).toBe(4);
  });

  test("the agent that ended last is remembered, not calls or the swarm", () => {
    const trace = sampleTrace([{ start: 0 }, { start: 0 }, { start: 0 }, { kind: "llm_call", parent: 2, start: 0 }]);
    expect(trace.newestAgent).toBe(-1);
    for (const span of [1, 3, 2, 0]) trace.end(span, end);
    expect(trace.newestAgent).toBe(2);
  });
});

describe("warnings", () => {
  test("mark everything above, are counted, and keep 500 characters of their message", () => {
    const trace = sampleTrace([{ start: 0 }, { start: 0 }, { start: 0 }]);
    trace.addWarning(1, { code: "answer-cut", message: "x".repeat(2000) });
    trace.addWarning(1, { code: "content-filtered", message: "short" });
    expect(trace.warningCount).toBe(2);
    expect(trace.warnings.get(1)?.map(({ message }) => message.length)).toEqual([500, 5]);
    expect([0, 1, 2].map((span) => trace.isWarned(span))).toEqual([true, true, false]);
    expect(fromTraceSnapshot(toTraceSnapshot(trace)).warningCount).toBe(2);
  });
});

describe("questions", () => {
  const question = { type: "question", message: "Go on?", at: 5, number: 3 } as const;

  test("the run waits until the last one is answered", () => {
    const trace = sampleTrace([{ start: 0 }, { start: 0 }, { start: 0 }]);
    trace.setQuestion(1, question);
    trace.setQuestion(2, question);
    expect([trace.run.status, trace.shownStatusOf(0), trace.statusOf(0)]).toEqual(["WAITING", "WAITING", "RUNNING"]);
    trace.setQuestion(1, null);
    expect([trace.run.status, trace.statusOf(1), trace.statusOf(2)]).toEqual(["WAITING", "RUNNING", "WAITING"]);
    trace.end(2, { ...end, status: "CANCELLED" });
    expect([trace.run.status, trace.questions.size]).toEqual(["RUNNING", 0]);
  });

  test("an agent waits with the tool that asks, also above the tool that called it; its group goes on", () => {
    const trace = sampleTrace([
      { kind: "swarm", start: 0 },
      { kind: "group", parent: 0, start: 0 },
      { kind: "agent", parent: 1, start: 0 },
      { kind: "tool_call", parent: 2, start: 0 },
      { kind: "agent", parent: 3, start: 0 },
      { kind: "tool_call", parent: 4, start: 0 },
      { kind: "agent", parent: 1, start: 0 },
    ]);
    const listShown = () => [0, 1, 2, 3, 4, 5, 6].map((span) => trace.shownStatusOf(span).slice(0, 4)).join(" ");
    trace.setQuestion(5, question);
    expect(listShown()).toBe("WAIT RUNN WAIT WAIT WAIT WAIT RUNN");
    expect(fromTraceSnapshot(toTraceSnapshot(trace)).shownStatusOf(2)).toBe("WAITING");
    trace.end(5, end);
    expect(listShown()).toBe("RUNN RUNN RUNN RUNN RUNN SUCC RUNN");
  });

  test("a run that has ended waits for nothing", () => {
    const trace = sampleTrace([{ start: 0 }, { start: 0 }]);
    trace.setRun({ status: "FAILED" });
    trace.setQuestion(1, question);
    expect(trace.run.status).toBe("FAILED");
  });
});

describe("views", () => {
  test("keep length, version and run of their moment, while the trace continues", () => {
    const trace = sampleTrace([{ start: 0 }]);
    const view = trace.view();
    trace.start({ id: 2, parent: 1, path: "a", kind: "agent", name: "a", at: 1 });
    trace.setRun({ status: "SUCCESS" });
    expect([view.length, view.run.status, view.pathOf(1)]).toEqual([1, "INIT", ""]);
    expect([trace.view().length, trace.view().version > view.version]).toEqual([2, true]);
  });
});

describe("batches", () => {
  test("one frame has the joined text of each call, with the time of its first part", () => {
    const batch = toBatch([
      { seq: 4, at: 10, type: "text.appended", id: 2, text: "a" },
      { seq: 5, at: 11, type: "reasoning.appended", id: 3, text: "r" },
      { seq: 6, at: 12, type: "text.appended", id: 2, text: "b" },
    ]);
    expect(batch).toEqual({
      seq: 6,
      texts: [
        { id: 2, at: 10, text: "ab" },
        { id: 3, at: 11, reasoning: "r" },
      ],
    });
    expect(toBatch([])).toBeNull();
  });

  test("notes that are no warnings are not sent", () => {
    const note = { at: 1, type: "node.noted", id: 1, message: "m" } as const;
    expect(toBatch([{ ...note, seq: 1, code: "provider-deviation" }])).toEqual({ seq: 1 });
    expect(toBatch([{ ...note, seq: 1, code: "answer-cut" }])?.warned).toEqual([
      { id: 1, code: "answer-cut", message: "m" },
    ]);
  });

  test.each(["", "{", "null", "[]", "7", '"seq"', '{"seq":"1"}', '{"started":[]}'])("%j is no batch", (text) => {
    expect(readBatch(text)).toBeNull();
  });

  test("an earlier one changes nothing, and changes of unknown steps are ignored", () => {
    const trace = sampleTrace([{ start: 0 }]);
    trace.seq = 5;
    const late: TraceBatch = { seq: 5, started: [{ id: 2, path: "a", kind: "agent", name: "a", at: 1 }] };
    applyBatch(trace, late);
    expect([trace.length, trace.seq]).toEqual([1, 5]);
    applyChanges(trace, {
      ended: [{ id: 99, ...end }],
      texts: [{ id: 99, at: 1, text: "x" }],
      warned: [{ id: 0, code: "answer-cut", message: "" }],
      questions: [{ id: -5, question: null }],
    });
    expect([trace.length, trace.warningCount]).toEqual([1, 0]);
  });

  test("the end of the run keeps its error and its time", () => {
    const trace = new Trace();
    const error = { code: "network", message: "gone" };
    applyChanges(trace, { begun: { flow: "F", at: 3 }, over: { at: 9, status: "FAILED", error, simulated: true } });
    expect(trace.run).toEqual({ status: "FAILED", flow: "F", startedAt: 3, endedAt: 9, error, simulated: true });
  });
});

test.each([
  ["no object", null],
  ["no columns", { seq: 1 }],
  ["a column shorter than the others", { ...toTraceSnapshot(sampleTrace([{ start: 0 }])), status: "" }],
  ["starts for other steps", { ...toTraceSnapshot(sampleTrace([{ start: 0 }])), start: [1, 2] }],
])("a snapshot with %s is refused", (_, value) => expect(traceSnapshotSchema.safeParse(value).success).toBe(false));

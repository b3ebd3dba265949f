import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCodePoint } from "../../flow/code-point.arbitrary";
import { runStatuses } from "../../run/events/run-status";
import { sampleNode, sampleRunFile, writeRunFile } from "../testing/run.samples";
import { runNodes } from "../testing/run-node.arbitrary";
import { type RunFile, readRunFile, toRunFileFrame } from "./run-file";

const file: RunFile = {
  ...sampleRunFile([
    sampleNode(1, "swarm", {
      startedAt: 2,
      endedAt: 9,
      question: { type: "question", message: "Which?", choices: ["a"], at: 3, number: 7 },
      answer: { decision: "approved", by: "You", text: "a", at: 4 },
    }),
  ]),
  layout: { pins: { a: { dx: 1, dy: 2 } } },
};
const text = writeRunFile(file);
const problemOf = (broken: string): string => {
  const result = readRunFile(broken);
  return "problem" in result ? result.problem : "nothing was wrong";
};
const change = (from: string, to: string): string => {
  expect(text).toContain(from);
  return text.replace(from, to);
};

describe("a run file", () => {
  test("is read as it was written", () => {
    expect(readRunFile(text)).toEqual(file);
  });

  test("property: read(write(x)) = x, and any part of it is refused", () => {
    const whole = fc.string({ unit: anyCodePoint });
    fc.assert(
      fc.property(
        runNodes,
        fc.record({
          input: whole,
          source: whole,
          status: fc.constantFrom(...runStatuses),
          cut: fc.nat(),
          ended: fc.boolean(),
        }),
        (nodes, { input, source, status, cut, ended }) => {
          const run = { ...file.run, input: { text: input }, status, endedAt: ended ? 3 : null };
          const written = { ...file, run, source, nodes };
          const again = writeRunFile(written);
          expect(readRunFile(again)).toEqual(written);
          expect(problemOf(again.slice(0, cut % (again.length - 1)))).toMatch(/^Expected a run file .* no JSON/);
        },
      ),
      { numRuns: 50 },
    );
  });

  test("property: whatever the text, reading it never throws", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((json) => change("[\n", `[\n${json},`)),
        ),
        (broken) => {
          expect(problemOf(broken)).toMatch(/^(Expected|This run file is broken)/);
        },
      ),
    );
  });

  test.each([
    ["another version", change('"version":1', '"version":2'), "found version 2"],
    ["other JSON", '{"format":"other","version":1}', "found other JSON"],
    ["nothing", "", "no JSON"],
    ["a field that is not known", change('"source"', '"secret":1,"source"'), "the file is not as expected"],
    [
      "a wrong type",
      change('"startedAt":2,"endedAt":9,"input"', '"startedAt":"2","endedAt":9,"input"'),
      "nodes.0.startedAt",
    ],
    [
      "a text that is cut",
      change('"reasoning":""', '"reasoning":"","request":{"provider":"p","url":"u","body":{"text":"","length":9}}'),
      "nodes.0.request.body",
    ],
    ["a step below itself", change('"id":1', '"id":1,"parent":1'), "step 1 does not follow"],
    ["a step that comes later", change('"id":1', '"id":1,"parent":2'), "step 1 does not follow"],
    ["a time that is none", change('"createdAt":1', '"createdAt":1e300'), "run.createdAt"],
    ["a status that is none", change('"status":"SUCCESS"', '"status":"DONE"'), "run.status"],
    ["an id that is empty", change(file.run.id, ""), "run.id"],
    [
      "nesting without end",
      change('"metadata":{}', `"metadata":{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`),
      "too deep",
    ],
  ])("refuses %s", (_, broken, words) => {
    expect(problemOf(broken)).toContain(words);
  });

  test("refuses steps out of order, and a step without the one before it", () => {
    expect(problemOf(writeRunFile({ ...file, nodes: [...file.nodes, ...file.nodes] }))).toContain("step 1 does not");
    expect(problemOf(change('"id":1', '"id":2'))).toContain("step 2 does not follow the step before it");
  });

  test("refuses a huge text without reading it", () => {
    expect(problemOf(" ".repeat(200_000_001))).toContain("at most 200,000,000 characters, found 200,000,001");
  });

  test("has a frame that is the file without steps", () => {
    const { nodes: _, ...head } = file;
    const { head: before, tail } = toRunFileFrame(head);
    expect(readRunFile(before + tail)).toEqual({ ...head, nodes: [] });
  });
});

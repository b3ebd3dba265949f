import { expect, test } from "vitest";
import type { RunEvent } from "@/lib/core/run/events/events";
import { runFlow } from "@/lib/core/run/run-flow";
import { readSource } from "@/lib/core/source/read-source";
import { findTeamWorld, runWorld } from "../run-world";
import { measureLongestBlock } from "../testing/longest-block";
import { createAnswerPort } from "./answer-port";

const numbers = JSON.stringify(Array.from({ length: 60_000 }, (_, nth) => nth));
/** Each of the 200 schemas reads all items. */
const slowSchema = { allOf: Array.from({ length: 200 }, () => ({ uniqueItems: true })) };

test("answers are read by a schema in another thread, with a deadline", async () => {
  const answers = createAnswerPort("a", { deadlineMs: 2_000 });
  expect(await answers.findSchemaMistake({ type: "objekt" })).toContain("schema is invalid");
  expect(await answers.findSchemaMistake(slowSchema)).toBeNull();
  expect(await answers.read({ type: "number" }, "5")).toEqual({ ok: true, value: 5 });
  const { result, longestBlockMs } = await measureLongestBlock(() => answers.read(slowSchema, numbers));
  expect(result).toEqual({ ok: false, message: expect.stringContaining("took too long") });
  expect(longestBlockMs).toBeLessThan(2_000);
});

test("schemas and answers wait for their turn, however many of a team wait", async () => {
  const answers = createAnswerPort("many");
  const counts = Array.from({ length: 300 }, (_, nth) => nth);
  const mistakes = await Promise.all(counts.map(() => answers.findSchemaMistake({ type: "number" })));
  expect(mistakes).toEqual(counts.map(() => null));
  const read = await Promise.all(counts.map((count) => answers.read({ type: "number" }, String(count))));
  expect(read).toEqual(counts.map((value) => ({ ok: true, value })));
});

test("a run of a team reads its answers there", async () => {
  const schema = JSON.stringify({ type: "array", items: { type: "number" } });
  const { flow } = readSource(
    `agents: { a: { model: "demo:a", output_schema: ${schema} } }\nswarm: { type: workflow, flow: a }\n`,
  );
  const schemas: unknown[] = [];
  const { answers = createAnswerPort("b"), ...world } = findTeamWorld("local");
  const observed = {
    ...answers,
    read: (given: Parameters<typeof answers.read>[0], text: string) => {
      schemas.push(given);
      return answers.read(given, text);
    },
  };
  const context = { ...runWorld, ...world, answers: observed, signal: new AbortController().signal };
  const events: RunEvent[] = [];
  for await (const event of runFlow(flow, "Numbers", context)) events.push(event);
  expect(events.at(-1)).toMatchObject({ type: "run.finished", status: "SUCCESS" });
  expect(schemas).toEqual([JSON.parse(schema)]);
});

import { describe, expect, test } from "vitest";
import { run } from "./run-flow.arbitrary";

describe("workflow", () => {
  test("70: a, b, c in a chain, answers A, B, C", async () => {
    const { last, models, started } = await run(
      { flow: "a >> b >> c" },
      { script: { a: [{ text: "A" }], b: [{ text: "B" }], c: [{ text: "C" }] } },
    );
    expect(last).toMatchObject({ status: "SUCCESS", output: { text: "C" } });
    expect(models.requests.map((request) => request.messages)).toEqual([
      [{ role: "user", content: "Q" }],
      [{ role: "user", content: "A" }],
      [{ role: "user", content: "B" }],
    ]);
    expect(models.unused).toEqual([]);
    expect(started.map((node) => [node.id, node.parent, node.path])).toEqual([
      [1, undefined, "/"],
      [2, 1, "a"],
      [3, 2, "a#llm-1"],
      [4, 1, "b"],
      [5, 4, "b#llm-1"],
      [6, 1, "c"],
      [7, 6, "c#llm-1"],
    ]);
  });
});

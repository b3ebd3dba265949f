import { describe, expect, it } from "vitest";
import { readSource } from "@/lib/core/source/read-source";
import { describeLength, findUnknownVariables, listVariables } from "./variables";

const { flow } = readSource(`vars: { tone: friendly, length: 300 }
agents:
  planner: { model: "demo:a" }
  writer: { model: "demo:a" }
  "a{b": { model: "demo:a" }
swarm: { flow: planner >> writer }
`);
const variables = listVariables(flow, ["planner"]);
const look = (name: string): string => `\${${name}}`;

describe("listVariables", () => {
  it("offers the input, the variables, and who has spoken before who has not", () => {
    expect(variables.map(({ written }) => written)).toEqual(
      ["input", "vars.tone", "vars.length", "outputs.planner", "date", "outputs.writer"].map(look),
    );
    expect(variables[1]?.about).toBe("friendly");
  });
});

describe("findUnknownVariables", () => {
  it("finds unknown variables, with the nearest known one", () => {
    const text = `Hi ${look("vars.tona")}, ${look("input")} ${look("outputs.writer")} ${look("HOME")} $x {y} ${look("")}`;
    const found = findUnknownVariables(text, variables);
    expect(found.map(({ range, near }) => [text.slice(range.from, range.to), near])).toEqual([
      [look("vars.tona"), look("vars.tone")],
      [look("HOME"), null],
    ]);
    expect(found[0]?.message).toContain(`Did you mean ${look("vars.tone")}?`);
    expect(found.map(({ missing }) => missing)).toEqual(["tona", undefined]);
  });
});

describe("describeLength", () => {
  it.each([
    ["", "0 characters, ≈ 0 tokens"],
    ["abcde", "5 characters, ≈ 2 tokens"],
    ["x".repeat(4000), "4,000 characters, ≈ 1,000 tokens"],
  ])("%#", (text, description) => {
    expect(describeLength(text)).toBe(description);
  });
});

import { describe, expect, it } from "vitest";
import { toolSpecs } from "@/lib/server/tools/registry";
import { describeArguments } from "./describe-arguments";

describe("describeArguments", () => {
  it("describes types in plain words, and nested arguments", () => {
    expect(
      describeArguments({
        type: "object",
        properties: {
          query: { type: "string", description: "What to look for" },
          count: { type: ["integer", "null"] },
          sort: { enum: ["new", "old"] },
          rows: { type: "array", items: { type: "object", properties: { on: { type: "boolean" } } } },
          any: {},
        },
        required: ["query"],
      }),
    ).toEqual([
      { name: "query", type: "text", required: true, description: "What to look for" },
      { name: "count", type: "whole number or null", required: false, description: "" },
      { name: "sort", type: '"new" or "old"', required: false, description: "" },
      { name: "rows", type: "list of object", required: false, description: "" },
      { name: "rows.on", type: "yes or no", required: false, description: "" },
      { name: "any", type: "anything", required: false, description: "" },
    ]);
  });

  it("has a word for every argument of the tools that there are", () => {
    for (const { name, parameters } of toolSpecs) {
      const found = describeArguments(parameters);
      expect(found.map(({ name: argument }) => argument).filter((argument) => !argument.includes("."))).toEqual(
        Object.keys(Object(parameters.properties)),
      );
      for (const one of found) expect(`${name} ${one.type}`).not.toContain("anything");
    }
  });
});

import { describe, expect, it } from "vitest";
import { emptyLayout } from "../flow/edit";
import { applyChanges } from "../flow/text-change";
import { createAgent } from "../kinds/agent-schema";
import { applyEdit } from "../source/apply-edit";
import { readSource } from "../source/read-source";
import { findMisfits } from "./check-model-fit";

const agent = (fields: object) => createAgent("a", fields);
const fieldsOf = (model: string, fields: object) => findMisfits(agent(fields), model).map(({ field }) => field);

describe("findMisfits", () => {
  it.each([
    ["openai:o3", { temperature: 1 }, ["temperature"]],
    ["o4-mini", { temperature: 0.5 }, ["temperature"]],
    ["openai:gpt-5-2025-08-07", { temperature: 0.5 }, ["temperature"]],
    ["openai:gpt-4o", { temperature: 2 }, []],
    ["openai:gpt-4o", { max_tokens: 16_385 }, ["max_tokens"]],
    ["openai:gpt-4o", { max_tokens: 16_384 }, []],
    ["openai:gpt-4-turbo", { output_schema: { type: "object" } }, ["output_schema"]],
    ["openai:o1-mini", { tools: ["calculator"], temperature: 1 }, ["temperature", "tools"]],
    ["anthropic:claude-opus-4-8", { temperature: 0 }, ["temperature"]],
    ["anthropic:claude-sonnet-5", { temperature: 0 }, ["temperature"]],
    ["anthropic:claude-sonnet-4-5", { temperature: 1 }, []],
    ["anthropic:claude-sonnet-4-5", { temperature: 1.5 }, ["temperature"]],
    ["google:gemini-2.5-pro", { max_tokens: 70_000, temperature: 2 }, ["max_tokens"]],
    ["compatible:anything", { temperature: 2, max_tokens: 9_999_999, tools: ["x"] }, []],
    ["openai:gpt-99", { temperature: 2, max_tokens: 9_999_999 }, []],
    ["demo:writer", { temperature: 2, tools: ["x"], output_schema: {} }, []],
  ])("%s with %j", (model, fields, expected) => {
    expect(fieldsOf(model, fields)).toEqual(expected);
  });
});

describe("a value that a model refuses", () => {
  const text = `agents:
  a:
    model: openai:o3   # thinks
    temperature: 0.2
    tools: []
swarm: { flow: a }
`;

  it("is a warning at its line whose repair removes exactly that line", () => {
    const document = readSource(text);
    const problem = document.problems.find(({ code }) => code === "refused-value");
    expect(problem).toMatchObject({ severity: "warning", nodes: ["a"] });
    expect(text.slice(problem?.range?.from, problem?.range?.to)).toBe("0.2");
    const edit = problem?.repairs?.[0]?.edit;
    if (!edit) throw new Error("no repair was offered");
    const result = applyEdit(document, emptyLayout, edit);
    if (!result.ok) throw new Error(result.problem.message);
    const mended = applyChanges(text, result.changes);
    expect(mended).toBe(text.replace("    temperature: 0.2\n", ""));
    expect(readSource(mended).problems.map(({ code }) => code)).not.toContain("refused-value");
  });

  it("is reported once when the fallback refuses it too", () => {
    const both = text.replace("tools: []", "fallback_model: openai:o1");
    expect(readSource(both).problems.filter(({ code }) => code === "refused-value")).toHaveLength(1);
  });
});

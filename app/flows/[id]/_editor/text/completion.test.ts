import { CompletionContext } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { completeFlowFile } from "./completion";

const vocabulary = () => ({
  names: ["planner", "writer"],
  models: ["demo:writer", "openai:gpt"],
  tools: [{ name: "calculator", description: "Works out a sum." }],
});

/** Offers at `|`. */
function offersAt(text: string, explicit = true): string[] {
  const pos = text.indexOf("|");
  const state = EditorState.create({ doc: text.replace("|", "") });
  const result = completeFlowFile(vocabulary)(new CompletionContext(state, pos, explicit));
  return result?.options.map((option) => option.label) ?? [];
}

describe("completeFlowFile", () => {
  it("offers models, tools and names where they belong", () => {
    expect(offersAt("agents:\n  a: { model: de|")).toEqual(["demo:writer", "openai:gpt"]);
    expect(offersAt("agents:\n  a: { tools: [calc|")).toEqual(["calculator"]);
    expect(offersAt("swarm:\n  flow: planner >> wr|")).toEqual(["planner", "writer"]);
  });

  it("offers the keys of the section", () => {
    expect(offersAt("agents:\n  a:\n    mo|")).toContain("max_steps");
    expect(offersAt("swarm:\n  ty|")).toContain("max_handoffs");
    expect(offersAt("sw|")).toEqual(expect.arrayContaining(["swarm", "agents"]));
    expect(offersAt("constructor:\n  x|")).toEqual([]);
  });

  it("stays quiet where nothing was typed", () => {
    expect(offersAt("agents:\n  |", false)).toEqual([]);
  });
});

import { EditorState } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { findModelAt } from "./model-hover";

const doc = `agents:
  a: { model: "demo:writer", fallback_model: openai:gpt }
  b:
    model: 'anthropic:claude'
    instructions: supermodel: none
`;
const state = EditorState.create({ doc });
const modelAt = (word: string) => findModelAt(state, doc.indexOf(word) + 1);

describe("findModelAt", () => {
  it.each([
    ["demo:", "demo:writer"],
    ["writer", "demo:writer"],
    ["openai", "openai:gpt"],
    ["claude", "anthropic:claude"],
  ])("finds the model that %s is part of", (word, model) => {
    const from = doc.indexOf(model);
    expect(modelAt(word)).toEqual({ model, range: { from, to: from + model.length } });
  });

  it.each(["model:", "fallback", "none", "agents"])("finds none at %s", (word) => expect(modelAt(word)).toBeNull());
});

import { describe, expect, it } from "vitest";
import { TextFitter } from "../drawing/fit-text";
import { toShownName } from "./draw-rows";

describe("the name of a row", () => {
  const letterWidth = 7;
  const context = { font: "", measureText: (text: string) => ({ width: text.length * letterWidth }) };
  const shown = (kind: "llm_call" | "tool_call", name: string, letters: number): string =>
    toShownName({ context, texts: new TextFitter() }, kind, name, letters * letterWidth);

  it("of a model leaves out its provider where there is no room for both", () => {
    expect(shown("llm_call", "demo:researcher", 15)).toBe("demo:researcher");
    expect(shown("llm_call", "demo:researcher", 14)).toBe("researcher");
    expect(shown("llm_call", "openrouter:meta/llama:free", 14)).toBe("meta/llama:free");
  });

  it("of another step stays as it is", () => {
    expect(shown("tool_call", "mcp:read_page", 5)).toBe("mcp:read_page");
  });
});

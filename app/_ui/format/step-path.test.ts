import { describe, expect, it } from "vitest";
import { describePath } from "./step-path";

describe("the path of a step", () => {
  it.each([
    ["clerk#llm-1#tool-2", "clerk › model call 1 › tool call 2"],
    ["review/analyst", "review › analyst"],
    ["loop#2/writer#llm-1#fallback", "loop (2) › writer › model call 1 › fallback model"],
    ["desk/helper#call-3-1", "desk › helper › for tool call 1 of model call 3"],
    ["a%2Fb%23c#visit-2", "a/b#c › visit 2"],
    ["", ""],
  ])("%s", (path, words) => {
    expect(describePath(path)).toBe(words);
  });
});

import { expect, it } from "vitest";
import { describeModel, toShownTools } from "./card-content";

it.each([
  [[], "", 0],
  [["calculator"], "calculator", 0],
  [["current_time", "read_page"], "current_time read_page", 0],
  [["get", "put", "ask"], "get put ask", 0],
  [["get", "put", "ask", "run"], "get put ask", 1],
  [["calculator", "read_page", "current_time", "web_search"], "calculator", 3],
  [["a_name_that_is_longer_than_the_whole_card", "ask"], "a_name_that_is_longer_than_the_whole_card", 1],
])("names the tools %j of a card as %j and %i more", (names, shown, more) => {
  expect(toShownTools(names)).toEqual({ tools: shown.replaceAll(" ", "\n"), moreTools: more });
});

it("drops the provider of a model whose name tells enough", () => {
  expect(["openai", "compatible", "demo"].map((provider) => describeModel(provider, "qwen3:8b"))).toEqual([
    "qwen3:8b",
    "qwen3:8b",
    "demo:qwen3:8b",
  ]);
});

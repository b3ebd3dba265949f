import { expect, it } from "vitest";
import { toShownTools } from "./card-content";

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

import { expect, test } from "vitest";
import { readDecisions, toDecisions } from "./decisions";

test("describes each decision with its reason", () => {
  const noted = [
    "call-model",
    "execute-tools: add, now",
    "execute-tools in order: write, read",
    "call-model",
    "done: answered",
    "call-model",
    "done: answered",
  ];
  expect(toDecisions(noted).map(({ number, words, detail }) => `${number} ${words} ${detail}`.trim())).toEqual([
    "1 Called the model with the input.",
    "2 Ran the requested tools: add, now",
    "3 Ran the requested tools one after another: write, read",
    "4 Called the model again with the tool results.",
    "5 Done: the agent answered.",
    "6 Called the model again: the answer did not match the schema.",
    "7 Done: the agent answered.",
  ]);
});

test("a decision of another version is shown as it is", () => {
  expect(toDecisions(["sing"])).toEqual([{ number: 1, words: "", detail: "sing" }]);
});

test.each([[undefined], ["call-model"], [{}], [[1, null]]])("none in %j", (fact) => {
  expect(readDecisions(fact)).toEqual([]);
});

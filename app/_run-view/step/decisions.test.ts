import { expect, test } from "vitest";
import { readDecisions, toDecisions } from "./decisions";

test("says each decision with its reason", () => {
  const noted = [
    "call-model",
    "execute-tools: add, now",
    "call-model",
    "done: answered",
    "call-model",
    "done: answered",
  ];
  expect(toDecisions(noted).map(({ number, words, detail }) => `${number} ${words} ${detail}`.trim())).toEqual([
    "1 Asked the model: somebody had asked something.",
    "2 Ran the tools that the model asked for: add, now",
    "3 Asked the model again: its tools had answered.",
    "4 Done: it had an answer.",
    "5 Asked the model again: its answer did not fit.",
    "6 Done: it had an answer.",
  ]);
});

test("a decision of another version is shown as it is", () => {
  expect(toDecisions(["sing"])).toEqual([{ number: 1, words: "", detail: "sing" }]);
});

test.each([[undefined], ["call-model"], [{}], [[1, null]]])("none in %j", (fact) => {
  expect(readDecisions(fact)).toEqual([]);
});

import { expect, test } from "vitest";
import { applyChanges } from "../text-change";
import { moveOffset } from "./rebase-changes";
import { rebaseDraft } from "./rebase-draft";

test.each([
  ["at different places", "one two", "one! two", "one two?", "one! two?"],
  ["at one place", "", "mine", "theirs", "minetheirs"],
  ["over a deletion", "one two", "one more two", "two", "more two"],
  ["with nothing of the user's own", "one", "one", "one two", "one two"],
  ["with the same text on both sides", "one", "one two", "one two", "one two"],
  ["without a change elsewhere", "one", "one two", "one", "one two"],
])("a draft follows its text: %s", (_, base, text, next, merged) => {
  expect(applyChanges(text, rebaseDraft({ base, text }, next))).toBe(merged);
});

test("a caret stays behind the letters that are left before it, also where the end is written anew", () => {
  const [text, next] = ["abcdefCheck it once", "efCheck it twice"];
  const changes = rebaseDraft({ base: text, text }, next);
  expect(applyChanges(text, changes)).toBe(next);
  expect(moveOffset("abcdef".length, changes, "own")).toBe("ef".length);
});

import { expect, it } from "vitest";
import { toWordChanges } from "./diff-tokens";

it.each([
  ["words that are the same", "one two three", "one 2 three", ["two>2"]],
  ["a whole escape", String.raw`\"a\" b`, String.raw`\"`, [String.raw`a\" b>`]],
  ["no half of an escape", String.raw`\"a\n`, String.raw`x\\ "`, [String.raw`\"a\n>x\\ "`]],
  ["the letters after an escape", String.raw`\none`, String.raw`\tone`, [String.raw`\n>\t`]],
  ["a number after a backslash", String.raw`\u00e9`, String.raw`\u00ea`, [String.raw`\u00e9>\u00ea`]],
  [
    "a long number after a backslash",
    String.raw`\U0001f600`,
    String.raw`\U0001f601`,
    [String.raw`\U0001f600>\U0001f601`],
  ],
])("of a replacement stays: %s", (_, before, after, expected) => {
  const changes = toWordChanges(before, [{ from: 0, to: before.length, insert: after }]);
  expect(changes.map(({ from: start, to: end, insert }) => `${before.slice(start, end)}>${insert}`)).toEqual(expected);
});

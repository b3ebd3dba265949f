import { expect, it } from "vitest";
import * as Y from "yjs";
import { readOwnerNames } from "./owner-names";

function readBefore(text: string): string | undefined {
  const doc = new Y.Doc();
  doc.clientID = 7;
  doc.getText("source").insert(0, `${text}:`);
  const letter = `7:${text.length}`;
  return readOwnerNames(doc, [letter, "7:999", "8:0", "no id"]).get(letter);
}

it.each([
  ["swarms:\n  team", "team"],
  ["swarms:\n  my team 2", "my team 2"],
  ['swarms:\n  "a: \\"b\\""', 'a: "b"'],
  ["swarms:\n  'it''s'", "it's"],
  ["groups: { pair: { flow: a }, other", "other"],
  ["groups: { pair", "pair"],
  ["agents:\n  - name: writer", "writer"],
  ["agents:\n  - writer", "writer"],
  ["a-b", "a-b"],
])("the name before a letter: %j", (text, name) => {
  expect(readBefore(text)).toBe(name);
});

it.each(["", "swarms:\n  team: {}", "flow: [a, b]", "x # y", '"a\\x"', `  ${"n".repeat(300)}`, `'${"''".repeat(200)}`])(
  "no name is before a letter: %j",
  (text) => {
    expect(readBefore(text)).toBeUndefined();
  },
);

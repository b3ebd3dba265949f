import { expect, test } from "vitest";
import * as Y from "yjs";
import { noteName } from "../live/structure-versions";
import { readSource } from "../source/read-source";
import { settleNames } from "./settle-names";

const text = "agents:\n  b: {}\nswarm:\n  flow: b\n";

/** The text, of the document 1, where the documents 2 and 3 gave its agent another name each. */
function openRenamed(): Y.Doc {
  const doc = new Y.Doc();
  const writeAs = (client: number, offset: number, insert: string): void => {
    doc.clientID = client;
    doc.getText("source").insert(offset, insert);
  };
  writeAs(1, 0, text);
  doc.getText("source").delete(10, 1);
  writeAs(2, 10, "cd");
  writeAs(3, 12, "ef");
  writeAs(3, 0, "# a comment of the third\n");
  return doc;
}

const settle = (doc: Y.Doc): string => {
  settleNames(doc, readSource(text));
  return doc.getText("source").toString();
};

test.each([
  ["of two names in the place of one the first stays", "ef"],
  ["a name that claims more than it has takes out no other line", "e".repeat(1_000)],
])("%s", (_, written) => {
  const doc = openRenamed();
  noteName(doc, { key: "2:0", name: "cd", written: "cd", by: 2, replaces: "1:10" });
  noteName(doc, { key: "3:0", name: "ef", written, by: 3, replaces: "1:10" });
  expect(settle(doc)).toBe(`# a comment of the third\n${text.replace("b:", "cd:")}`);
});

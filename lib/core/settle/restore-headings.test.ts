import { expect, it } from "vitest";
import * as Y from "yjs";
import { noteDeleted } from "../live/deleted-entries";
import { readText } from "../live/live-document";
import { noteName } from "../live/structure-versions";
import { restoreHeadings } from "./restore-headings";

const section = "branches:\n  k1: {}\n";

/** A section is deleted, of which `rest` is what someone else wrote after it. */
function restore(rest: string, { before = "swarms:\n  s: {}\n", isNoted = true, isSection = true } = {}): string {
  const doc = new Y.Doc();
  doc.clientID = 7;
  const text = doc.getText("source");
  text.insert(0, before + section + rest);
  const start = before.length + section.length;
  const name = rest.search(/\S/);
  const key = `7:${isNoted && name >= 0 ? start + name : before.indexOf("s:")}`;
  noteName(doc, { key, name: "k2", written: "k2", by: 7 });
  const range = { from: before.length, to: start };
  doc.transact(() => {
    noteDeleted(doc, [{ ...range, title: "branches", ...(isSection && { isSection }) }]);
    text.delete(before.length, section.length);
  });
  restoreHeadings(doc);
  return readText(doc).slice(before.length);
}

it("a section has its title again where someone declared something in it", () => {
  expect(restore("  k2: {}\nswarm:\n")).toBe("branches:\n  k2: {}\nswarm:\n");
});

it.each<[string, string, Parameters<typeof restore>[1]]>([
  ["nothing was declared in it", "  k2: {}\nswarm:\n", { isNoted: false }],
  ["an entry of its name was deleted", "  k2: {}\nswarm:\n", { isSection: false }],
  ["what follows is a section", "k2: {}\n", {}],
  ["what follows is in another section of its title", "  k2: {}\n", { before: "branches:\n  k0: {}\n" }],
  ["nothing follows", "", {}],
])("a deleted section stays deleted: %s", (_, rest, options) => {
  expect(restore(rest, options)).toBe(rest);
});

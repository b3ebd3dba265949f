import { expect, it } from "vitest";
import * as Y from "yjs";
import { noteDeleted } from "../live/deleted-entries";
import { readText, writeText } from "../live/live-document";
import { findLateEnd } from "../live/lost-texts";
import { mendLineEnds } from "./mend-line-ends";

const source = "agents:\n  a: 1\n  b: 2\nswarm:\n";
const entry = { from: source.indexOf("\n  b"), to: source.indexOf("swarm"), title: "b" };

/** One person deletes the last entry of a section, another one begins a section behind it. */
function meet(clients: readonly [number, number], added = "groups:\n"): Y.Doc {
  const [first, second] = clients.map((client) => {
    const doc = new Y.Doc();
    doc.clientID = 500;
    doc.getText("source").insert(0, source);
    doc.clientID = client;
    return doc;
  }) as [Y.Doc, Y.Doc];
  first.transact(() => {
    noteDeleted(first, [entry]);
    writeText(first, source, [{ from: entry.from, to: entry.to, insert: "\n" }]);
  });
  second.getText("source").insert(entry.to, added);
  Y.applyUpdate(first, Y.encodeStateAsUpdate(second));
  return first;
}

it.each([[[101, 102]], [[102, 101]]] as const)("a line end comes before what others wrote behind it: %j", (clients) => {
  const doc = meet(clients);
  mendLineEnds(doc);
  expect(readText(doc)).toBe("agents:\n  a: 1\ngroups:\nswarm:\n");
});

it("is looked for behind so many letters only", () => {
  const doc = meet([102, 101], `${"x".repeat(50)}\n`);
  expect(findLateEnd(doc, { letters: 100 })).not.toBeNull();
  expect(findLateEnd(doc, { letters: 40 })).toBeNull();
});

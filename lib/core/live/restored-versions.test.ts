import { expect, it } from "vitest";
import * as Y from "yjs";
import { listRestoredVersions, noteRestoredVersion } from "./restored-versions";

it("lists what others restored since, and not what was restored here", () => {
  const [ann, bob] = [new Y.Doc(), new Y.Doc()];
  noteRestoredVersion(ann, "the version First");
  Y.applyUpdate(bob, Y.encodeStateAsUpdate(ann));
  const known = Y.decodeStateVector(Y.encodeStateVector(bob));
  expect(listRestoredVersions(bob, new Map())).toEqual([{ version: "the version First", by: ann.clientID }]);
  expect(listRestoredVersions(bob, known)).toEqual([]);
  noteRestoredVersion(ann, `the version ${"x".repeat(300)}`);
  Y.applyUpdate(bob, Y.encodeStateAsUpdate(ann));
  expect(listRestoredVersions(bob, known)).toEqual([{ version: `the version ${"x".repeat(188)}`, by: ann.clientID }]);
  expect(listRestoredVersions(ann, new Map())).toEqual([]);
});

import { describe, expect, it, vi } from "vitest";
import * as Y from "yjs";
import { listKnownNotes, listSuperseded, readKnowledge } from "./known-notes";

/** An id of what several people write in the same way. */
const shared = 2 ** 40;
const version = (key: string, knows: readonly string[] = [], scope = "[]") => ({ key, knows, scope });

describe("what the author of a version knew", () => {
  it("is everything that a document wrote up to a letter", () => {
    const last = version("2:9", ["1:20"]);
    const isKnown = readKnowledge([last]);
    const keys = ["1:5", "1:20", "1:21", "2:5", "1-20", "1-21", "1:3 1:7", "1:3 2:7", "0-20"];
    expect(keys.filter((key) => isKnown(last, key))).toEqual(["1:5", "1:20", "1-20", "1:3 1:7"]);
  });

  it("is what older documents list key by key", () => {
    const last = version("3:9", ["1:5 1:8", "2-7", "0-20"]);
    const isKnown = readKnowledge([last]);
    expect(["1:5 1:8", "2-7", "0-20"].every((key) => isKnown(last, key))).toBe(true);
    expect(["1:9", "2-8", "0-21"].some((key) => isKnown(last, key))).toBe(false);
  });

  it("is not what a version knows since it was noted again, but the merged versions that it knew", () => {
    const merged = version(`${shared}:0`);
    const again = version("1:5", [`${shared}:9`, "7:7"]);
    const last = version("2:5", ["1:5"]);
    const isKnown = readKnowledge([merged, again, last]);
    expect(isKnown(last, merged.key)).toBe(true);
    expect(isKnown(last, "7:7")).toBe(false);
  });

  it("replaces versions of its scope only", () => {
    const [first, other] = [version("1:5"), version("1:9", [], '["pair"]')];
    const last = version("2:5", ["1:20"]);
    expect(listSuperseded([first, other, last])).toEqual(new Set([first]));
  });
});

it("lists each document once, and of merged versions those that no other version replaced", () => {
  const doc = new Y.Doc();
  doc.clientID = 5;
  doc.getText("source").insert(0, "0123456789");
  const versions = [
    version("5:1"),
    version("5:4 5:6"),
    version(`${shared}:0`),
    version(`${shared + 1}:0`, [`${shared}:0`]),
    version("0-3"),
    version("0-4", ["0-3"]),
  ];
  expect(listKnownNotes(doc, "5:9", { versions, others: ["5:8"] }).toSorted()).toEqual([
    "0-4",
    `${shared + 1}:-1`,
    "5:9",
  ]);
});

it("reads each key once, however many versions are compared", () => {
  const versions = Array.from({ length: 50 }, (_, nth) =>
    version(Array.from({ length: 20 }, (_, part) => `${nth + 1}:${part}`).join(" "), ["999:1"]),
  );
  const split = vi.spyOn(String.prototype, "split");
  for (let look = 0; look < 3; look++) expect(listSuperseded(versions).size).toBe(0);
  const calls = split.mock.calls.length;
  split.mockRestore();
  // One for each key, one for each id in it, and one for what each version knows.
  expect(calls).toBeLessThanOrEqual(50 * (1 + 20 + 1));
});

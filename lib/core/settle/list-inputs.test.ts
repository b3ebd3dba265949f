import { describe, expect, it } from "vitest";
import { readKnowledge } from "../live/known-notes";
import type { StructureVersion } from "../live/structure-versions";
import { parseTopologyValue } from "../source/structure/topology-value";
import { findBase } from "./find-base";
import { listInputs, type ReadVersion } from "./list-inputs";

/** The first id of what several people may write in the same way. */
const shared = 2 ** 32;
const flow = (text: string): string => JSON.stringify({ flow: text });

function version(key: string, knows: readonly string[] = [], before = flow("a")): StructureVersion {
  const by = Number(key.split(":")[0]);
  return { key, scope: "[]", before, knows, renames: {}, removed: [], by, parts: [] };
}

const [ann, bob, cid] = [version("3:9"), version("1:9"), version("2:9")];
const ofAnnAndBob = version(`${shared}:0`, ["3:9", "1:9"]);
const ofAnnAndCid = version(`${shared + 1}:0`, ["3:9", "2:9"]);
const all = [ann, bob, cid, ofAnnAndBob, ofAnnAndCid];
const noted = new Map(all.map(({ key }, index) => [key, flow(`a >> n${index}`)]));

function list(rivals: readonly StructureVersion[], { members = noted, values = noted, versions = all } = {}): string[] {
  const read = rivals.map(
    (one): ReadVersion => ({ version: one, value: parseTopologyValue(values.get(one.key) ?? "") }),
  );
  const isKnown = readKnowledge(versions);
  return listInputs(read, { all: versions, isKnown, noted: members }).map((input) => input.version.key);
}

describe("what is merged", () => {
  it("is what people wrote, in the order of their documents, not what was merged of it", () => {
    expect(list([ofAnnAndBob, ofAnnAndCid])).toEqual([bob.key, cid.key, ann.key]);
    expect(list([ofAnnAndCid, ofAnnAndBob])).toEqual([bob.key, cid.key, ann.key]);
    expect(list([ofAnnAndBob, cid])).toEqual([bob.key, cid.key, ann.key]);
  });

  it("is a merged version where someone typed in it since", () => {
    const values = new Map([...noted, [ofAnnAndBob.key, flow("a >> typed")]]);
    expect(list([ofAnnAndBob, ofAnnAndCid], { values })).toEqual([cid.key, ofAnnAndBob.key]);
  });

  it("is a merged version where the members of one that it was made of are no longer noted", () => {
    const members = new Map([...noted].filter(([key]) => key !== bob.key));
    expect(list([ofAnnAndBob, ofAnnAndCid], { members })).toEqual([cid.key, ofAnnAndBob.key]);
  });

  it("is no version that the author of a later one knew", () => {
    const later = version("4:9", [ofAnnAndBob.key, ann.key, bob.key]);
    const versions = [...all, later];
    const members = new Map([...noted, [later.key, flow("a >> later")]]);
    expect(list([later, ofAnnAndCid], { versions, members, values: members })).toEqual([cid.key, later.key]);
  });

  it("is no version of another scope", () => {
    const other = { ...bob, scope: '["team"]' };
    expect(list([ofAnnAndBob, ofAnnAndCid], { versions: [ann, other, cid, ofAnnAndBob, ofAnnAndCid] })).toEqual([
      cid.key,
      ann.key,
    ]);
  });
});

describe("the members that two versions were made of", () => {
  const first = version("5:9", [], flow("old"));
  const [left, right] = [version("6:9", [first.key], flow("left")), version("7:9", [first.key], flow("right"))];
  const versions = [first, left, right, bob];
  const options = { isKnown: readKnowledge(versions), noted: new Map([[first.key, flow("first")]]) };

  it("are those that the second one was changed from", () => {
    expect(findBase(versions, [[left], right], options)).toBe(flow("right"));
    expect(findBase(versions, [[bob], right], options)).toBe(flow("old"));
  });

  it("are those of the last version that one of several knew, where the second one's first change was older", () => {
    const late = version("8:9", [], flow("late"));
    const joined = version("9:9", [first.key, late.key], flow("joined"));
    const known = [...versions, late, joined];
    const isKnown = readKnowledge(known);
    expect(findBase(known, [[bob, left], joined], { ...options, isKnown })).toBe(flow("first"));
    expect(findBase(known, [[bob], joined], { ...options, isKnown })).not.toBe(flow("first"));
  });
});

import { describe, expect, it } from "vitest";
import { toSpawnDashOffset } from "./drawn-links";
import { toLinkPoints, toRoundedPath } from "./link-points";

const source = { x: 0, y: 100, width: 200, height: 100 };

describe("the dashes of links to spawned agents", () => {
  it.each([20, 27, 33, 48, 61])("have a gap where links part that turn %i px after their source", (at) => {
    const route = { type: "trunk", at, shares: "start" } as const;
    const ends = { source, target: { ...source, x: 300, y: 300 }, down: false };
    const [, corner] = toLinkPoints(ends, route);
    // With a radius of 12, from the beginning of the corner to the middle of its first half.
    expect(toRoundedPath(toLinkPoints(ends, route), 12)).toContain(`Q${corner?.x} ${corner?.y}`);
    const fork = (corner?.x ?? 0) - 12 - (source.width + 7);
    const isDash = (distance: number): boolean => (distance + toSpawnDashOffset(route)) % 10 < 6;
    expect([1, 3, 5, 7, 9, 11].map((after) => isDash(fork + after))).toEqual([true, false, false, true, true, true]);
  });
});

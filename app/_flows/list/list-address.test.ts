import { expect, it } from "vitest";
import { flowsPerStep, mostShown, readListAddress, writeListAddress } from "./list-address";

it("reads what it writes, and ignores the rest", () => {
  const address = { q: "a b", tag: "live", sort: "name", show: 120 } as const;
  const params = Object.fromEntries(new URL(writeListAddress(address), "http://x").searchParams);
  expect(readListAddress(params)).toEqual(address);
  expect(writeListAddress(readListAddress({}))).toBe("/");
  const strange = readListAddress({ sort: "constructor", show: "1e99", q: ["a"], tag: undefined });
  expect(strange).toEqual({ q: "", tag: "", sort: "run", show: mostShown });
  expect(readListAddress({ show: "x" }).show).toBe(flowsPerStep);
});

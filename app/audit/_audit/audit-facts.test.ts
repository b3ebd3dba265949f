import { expect, it } from "vitest";
import { describeFact } from "./audit-facts";

const id = "0b8a9f3e-1c2d-4e5f-8a9b-0c1d2e3f4a5b";

it.each([
  ["starterMayNotApprove", true, { label: "starter may not approve", text: "yes" }],
  ["revision", id, { label: "revision", text: "0b8a9f3e", whole: id }],
  ["maxCostPerDay", null, { label: "max cost per day", text: "none" }],
  ["expiresAt", Date.UTC(2026, 0, 2, 3, 4), { label: "expires at", text: "2 Jan 2026 03:04:00 UTC" }],
  ["reach", ["link", "gallery"], { label: "reach", text: "link, gallery" }],
  ["number", 7, { label: "number", text: "7" }],
  ["name", "Ada", { label: "name", text: "Ada" }],
] as const)("%s of %j is in words", (name, value, fact) => {
  expect(describeFact(name, value)).toEqual(fact);
});

import { expect, test } from "vitest";
import { readAuditAddress, toAuditQuery, toDay } from "./audit-address";

test("what a form sends is read, its days as whole ones", () => {
  const address = readAuditAddress({
    q: "ada",
    action: "flow.created",
    actor: "",
    from: "2026-03-01",
    to: "2026-03-02",
  });
  expect(address).toEqual({
    q: "ada",
    action: "flow.created",
    from: "2026-03-01T00:00:00.000Z",
    to: "2026-03-03T00:00:00.000Z",
  });
  expect([toDay(address.from, "from"), toDay(address.to, "to"), toDay(undefined, "to")]).toEqual([
    "2026-03-01",
    "2026-03-02",
    "",
  ]);
  expect(readAuditAddress(Object.fromEntries(new URLSearchParams(toAuditQuery(address))))).toEqual(address);
});

test("what cannot be read is ignored", () => {
  const params = { action: "flow.vanished", from: "2026-99-99", to: "yesterday", q: ["a", "b"], before: "1_a", x: "y" };
  expect(readAuditAddress(params)).toEqual({ before: "1_a" });
});

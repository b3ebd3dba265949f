import { expect, test } from "vitest";
import { isFailure, isTerminal } from "../../run/events/run-status";
import { toShownStatus } from "./shown-status";

test("what the server's stop ended is interrupted, which is no failure", () => {
  const status = toShownStatus("FAILED", "interrupted");
  expect([status, isFailure(status), isTerminal(status)]).toEqual(["INTERRUPTED", false, true]);
  const unreadable = toShownStatus("SUCCESS", "unreadable");
  expect([unreadable, isFailure(unreadable), isTerminal(unreadable)]).toEqual(["UNREADABLE", false, true]);
  expect(toShownStatus("FAILED", "unreadable")).toBe("UNREADABLE");
  expect(toShownStatus("FAILED", "server")).toBe("FAILED");
  expect(toShownStatus("CANCELLED", "cancelled")).toBe("CANCELLED");
  expect(toShownStatus("SUCCESS", undefined)).toBe("SUCCESS");
});

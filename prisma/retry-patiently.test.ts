import { describe, expect, test } from "vitest";
import { DatabaseError, type DatabaseFault, isTemporaryFault } from "./database-error";
import { retryPatiently } from "./retry-patiently";

const toError = (fault: DatabaseFault): DatabaseError => new DatabaseError(fault, "It does not work.");

describe("patience with a database", () => {
  test("waits longer and longer, up to a second, until an attempt succeeds", async () => {
    const waited: number[] = [];
    const attempt = async () => {
      if (waited.length < 7) throw toError("full");
      return "done";
    };
    const sleep = async (ms: number) => waited.push(ms);
    expect(await retryPatiently(attempt, { mayHelp: isTemporaryFault, sleep })).toBe("done");
    expect(waited).toEqual([50, 100, 200, 400, 800, 1_000, 1_000]);
  });

  test.each(["locked", "full", "read-only", "unreachable"] as const)("%s ends without a repair", (fault) => {
    expect(isTemporaryFault(toError(fault))).toBe(true);
  });

  test.each([toError("failing"), new Error("no column x"), null])(
    "other errors are thrown at once: %s",
    async (error) => {
      let attempts = 0;
      const attempt = async () => {
        attempts++;
        throw error;
      };
      const failed = retryPatiently(attempt, { mayHelp: isTemporaryFault, sleep: async () => {} });
      await expect(failed).rejects.toBe(error);
      expect(attempts).toBe(1);
    },
  );

  test("knows how long the next wait is", async () => {
    const asked: number[] = [];
    const mayHelp = (_: unknown, waitMs: number) => asked.push(waitMs) < 3;
    const failed = retryPatiently(() => Promise.reject(toError("locked")), { mayHelp, sleep: async () => {} });
    await expect(failed).rejects.toThrow("does not work");
    expect(asked).toEqual([50, 100, 200]);
  });
});

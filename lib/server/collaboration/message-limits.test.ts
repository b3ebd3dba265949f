import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createMessageLimits, LimitsOfPeople } from "./message-limits";

beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => vi.useRealTimers());

it("presence that comes too often is dropped, also when it goes on; that of an editor never is", () => {
  const limits = createMessageLimits();
  const countAllowed = (count: number, everyMs: number): number => {
    let allowed = 0;
    for (let number = 0; number < count; number++) {
      if (limits.presence.take()) allowed++;
      vi.advanceTimersByTime(everyMs);
    }
    return allowed;
  };
  expect(countAllowed(1_200, 50)).toBe(1_200);
  expect(countAllowed(1_000, 0)).toBe(200);
  expect(countAllowed(1_000, 10)).toBeLessThan(410);
});

it("changes of 36 a second are accepted for as long as one likes, and 1,000 at once", () => {
  const { update } = createMessageLimits();
  for (let number = 0; number < 36 * 60; number++) {
    expect(update.take()).toBe(true);
    vi.advanceTimersByTime(1_000 / 36);
  }
  for (let number = 0; number < 1_000; number++) expect(update.take()).toBe(true);
});

it("a person sends 4 MB of changes at once, and 256 kB a second; a longer change after a while without any", () => {
  const people = new LimitsOfPeople();
  const take = (userId: string, bytes: number): boolean => people.find(userId).updateBytes.take(bytes);
  for (let count = 0; count < 4; count++) expect(take("ann", 1_000_000)).toBe(true);
  expect(take("ann", 1)).toBe(false);
  expect(take("bob", 9_000_000)).toBe(true);
  vi.advanceTimersByTime(1_000);
  expect(take("ann", 256_000)).toBe(true);
  vi.advanceTimersByTime(1_000);
  people.tidy();
  expect([take("ann", 300_000), take("bob", 1)]).toEqual([false, false]);
  vi.advanceTimersByTime(40_000);
  people.tidy();
  expect([take("ann", 4_000_000), take("bob", 4_000_000)]).toEqual([true, true]);
});

it("a person sends 4,000 changes at once, in all windows, and 36 a second in each of five for as long as one likes", () => {
  const { updates } = new LimitsOfPeople().find("ann");
  for (let number = 0; number < 36 * 60; number++) {
    for (let window = 0; window < 5; window++) expect(updates.take()).toBe(true);
    vi.advanceTimersByTime(1_000 / 36);
  }
  for (let number = 0; number < 4_000; number++) expect(updates.take()).toBe(true);
  expect(updates.take()).toBe(false);
});

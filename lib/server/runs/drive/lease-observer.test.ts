import { beforeEach, describe, expect, test } from "vitest";
import { type Lease, LeaseObserver } from "./lease-observer";

let now = 0;
let observer: LeaseObserver;
beforeEach(() => {
  now = 1e6;
  observer = new LeaseObserver(10_000, () => now);
});

const leaseOf = (leaseUntil: number, change: Partial<Lease> = {}): Lease => ({
  runId: "r",
  owner: "other",
  epoch: 1,
  leaseUntil: new Date(leaseUntil),
  ...change,
});

/** After how many seconds the lease expired, looked at every 2 s for a minute; null when it did not. */
function secondsUntilExpiry(leaseAt: (second: number) => Lease): number | null {
  for (let second = 0; second <= 60; second += 2, now += 2000)
    if (observer.observe([leaseAt(second)]).length > 0) return second;
  return null;
}

const hour = 3_600_000;

describe("an owner is judged by its heartbeats alone", () => {
  test.each([
    ["now", Date.now()],
    ["an hour ahead: the clock was set back", Date.now() + hour],
    ["an hour ago: the clock was set forward", Date.now() - hour],
  ])("a lease without heartbeats expires after its duration, whatever time it names: %s", (_, leaseUntil) => {
    expect(secondsUntilExpiry(() => leaseOf(leaseUntil))).toBe(10);
  });

  test.each([
    ["forward", hour],
    ["back", -hour],
  ])("one with heartbeats never expires, also when its owner's clock jumps %s", (_, jump) => {
    expect(secondsUntilExpiry((second) => leaseOf(second * 1000 + (second > 20 ? jump : 0)))).toBeNull();
  });

  test("the latest heartbeat counts, and each owner has its own", () => {
    expect(secondsUntilExpiry((second) => leaseOf(Math.min(second, 6)))).toBe(16);
    expect(secondsUntilExpiry((second) => leaseOf(5, { owner: second < 4 ? "other" : "third" }))).toBe(14);
    expect(secondsUntilExpiry((second) => leaseOf(5, { owner: "third", epoch: second < 2 ? 2 : 3 }))).toBe(12);
  });

  test("a process that was suspended begins anew: it saw no heartbeat because it did not look", () => {
    observer.observe([leaseOf(1)]);
    now += 60_000;
    expect(observer.observe([leaseOf(1)])).toEqual([]);
    now += 8000;
    expect(observer.observe([leaseOf(1)])).toEqual([]);
    now += 2000;
    expect(observer.observe([leaseOf(1)])).toHaveLength(1);
  });

  test("says when the first lease will have expired, so that it can be looked at then", () => {
    observer.observe([leaseOf(1)]);
    now += 3000;
    observer.observe([leaseOf(1), leaseOf(1, { runId: "later" })]);
    expect(observer.nextExpiryMs).toBe(7000);
    now += 7000;
    expect(observer.observe([leaseOf(1), leaseOf(1, { runId: "later" })])).toHaveLength(1);
    expect(observer.nextExpiryMs).toBe(3000);
    observer.observe([]);
    expect(observer.nextExpiryMs).toBe(Number.POSITIVE_INFINITY);
  });

  test("several leases are judged each by itself", () => {
    const live = (second: number) => leaseOf(second, { runId: "live" });
    observer.observe([leaseOf(1), live(1)]);
    now += 5000;
    observer.observe([leaseOf(1), live(2)]);
    now += 5000;
    expect(observer.observe([leaseOf(1), live(3)]).map(({ runId }) => runId)).toEqual(["r"]);
  });
});

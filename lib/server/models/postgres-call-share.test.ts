import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Db, Sql } from "../db";
import { startServices } from "../start";
import { CallShare, type CallShareOptions } from "./call-share";
import { Limiter, type ProviderLimits } from "./limiter";

let db: Db;
const shares: CallShare[] = [];
beforeAll(async () => {
  db = await startServices();
});
beforeEach(() => db.callShare.deleteMany());
afterEach(async () => {
  for (const share of shares.splice(0)) void share.stop();
});

/** A process with its calls. `calls` end when they are released; `most` is how many were under way at once. */
class CallingProcess {
  readonly releases: (() => void)[] = [];
  readonly limiter: Limiter;
  /** Whether it was killed: nothing that it asks for arrives. */
  isDead = false;

  constructor(
    readonly name: string,
    limits: ProviderLimits,
  ) {
    this.limiter = new Limiter(limits);
  }

  async start(options: Partial<CallShareOptions> = {}): Promise<this> {
    const use = this.limiter.limits.concurrency === undefined ? "starts" : "calls";
    const given = { process: this.name, provider: "p", limiter: this.limiter, beatMs: 50, pollMs: 20, ...options };
    const query = (statement: Sql) => (this.isDead ? new Promise(() => {}) : db.$queryRaw(statement));
    const share = new CallShare(query, use, given);
    this.limiter.onUse = () => share.onUse();
    shares.push(share);
    await share.start();
    return this;
  }

  call(count: number): void {
    for (let number = 0; number < count; number++)
      void this.limiter.admit(new AbortController().signal).then((release) => this.releases.push(release));
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  for (const end = Date.now() + 10_000; Date.now() < end; await sleep(5)) if (isTrue()) return;
  throw new Error("it did not become true within 10 s");
}

const runningIn = (...processes: CallingProcess[]): number =>
  processes.reduce((sum, { limiter }) => sum + limiter.use.running, 0);

test("calls at the same time hold across processes, whatever each wants, and all get their turn", async () => {
  const processes = await Promise.all(
    ["a", "b", "c"].map((name) => new CallingProcess(name, { concurrency: 4 }).start()),
  );
  for (const process of processes) process.call(30);
  let [most, ended] = [0, 0];
  const endOf = new Map(processes.map(({ name }) => [name, 0]));
  for (const end = Date.now() + 20_000; ended < 90 && Date.now() < end; await sleep(2)) {
    most = Math.max(most, runningIn(...processes));
    for (const { name, releases } of processes)
      for (const release of releases.splice(0)) {
        release();
        ended++;
        endOf.set(name, ended);
      }
  }
  expect(ended).toBe(90);
  expect(most).toBeLessThanOrEqual(4);
  expect(most).toBeGreaterThan(2);
});

test("a process that has all gives up an equal part when another one comes, as its calls end", async () => {
  const first = await new CallingProcess("a", { concurrency: 6 }).start();
  first.call(100);
  await until(() => first.limiter.use.running === 6);
  const second = await new CallingProcess("b", { concurrency: 6 }).start();
  second.call(100);
  await until(() => {
    for (const release of first.releases.splice(0)) release();
    expect(runningIn(first, second)).toBeLessThanOrEqual(6);
    return second.limiter.use.running === 3;
  });
  await until(() => first.limiter.use.running === 3);
});

test("with a limit of one the processes take turns", async () => {
  const processes = await Promise.all(["a", "b"].map((name) => new CallingProcess(name, { concurrency: 1 }).start()));
  for (const process of processes) process.call(3);
  const order: string[] = [];
  for (const end = Date.now() + 15_000; order.length < 6 && Date.now() < end; await sleep(2)) {
    expect(runningIn(...processes)).toBeLessThanOrEqual(1);
    for (const { name, releases } of processes)
      for (const release of releases.splice(0)) {
        order.push(name);
        release();
      }
  }
  expect(order.toSorted()).toEqual(["a", "a", "a", "b", "b", "b"]);
  // None waits for all calls of the other.
  expect(order.slice(0, 4).toSorted().join("")).toMatch(/^(aabb|aaab|abbb)$/);
});

test("what a process held that died is free again with the end of its lease, and not before", async () => {
  const dead = await new CallingProcess("a", { concurrency: 2 }).start({ leaseMs: 1_000 });
  dead.call(2);
  await until(() => dead.limiter.use.running === 2);
  dead.isDead = true;
  const diedAt = Date.now();
  const next = await new CallingProcess("b", { concurrency: 2 }).start();
  next.call(2);
  await sleep(300);
  expect(next.limiter.use.running).toBe(0);
  await until(() => next.limiter.use.running === 2);
  expect(Date.now() - diedAt).toBeLessThan(3_000);
  // It lives after all, e.g. it was frozen: its share has ended, too.
  for (const release of dead.releases.splice(0)) release();
  dead.call(1);
  await sleep(100);
  expect(dead.limiter.use.running).toBe(0);
});

test("calls wait for no statement while there is room", async () => {
  const process = await new CallingProcess("a", { concurrency: 80 }).start();
  process.isDead = true;
  process.call(10);
  expect(process.limiter.use).toEqual({ running: 10, begun: 10, waiting: 0 });
});

test("calls of a minute hold across processes, also of one that died", async () => {
  const [first, second] = [new CallingProcess("a", { perMinute: 10 }), new CallingProcess("b", { perMinute: 10 })];
  await first.start({ leaseMs: 1_000 });
  first.call(6);
  await until(() => first.limiter.use.begun === 6);
  await sleep(120);
  first.isDead = true;
  await sleep(1_500);
  await second.start();
  second.call(20);
  await until(() => second.limiter.use.begun > 0);
  await sleep(500);
  expect(second.limiter.use.begun).toBeLessThanOrEqual(4);
  expect(second.limiter.use.begun).toBeGreaterThanOrEqual(2);
});

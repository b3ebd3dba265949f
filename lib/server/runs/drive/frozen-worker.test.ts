import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Tool } from "@/lib/core/run/ports/tool";
import { type Script, ScriptedModels } from "@/lib/core/run/testing/scripted-model";
import { localViewer } from "../../auth/viewer";
import type { Db } from "../../db";
import { startServices } from "../../start";
import { getRun } from "../read/queries";
import { insertWaitingRun, OwnExecutors, sleep, waitForEnd } from "../testing/own-executors";
import { HeldLease } from "./held-lease";

const source = `name: Acts
agents: { a: { model: "compatible:x", tools: [send] } }
swarm: { flow: a }
`;
const answer: Script = ({ messages }) =>
  messages.at(-1)?.role === "tool" ? { text: "Sent." } : { calls: [{ name: "send" }] };

let db: Db;
let executors: OwnExecutors;
beforeAll(async () => {
  db = await startServices();
  await globalThis.swarmloomServices?.endRuns();
  executors = new OwnExecutors(db);
});
afterEach(() => executors.stop());

/** A process that is frozen in the last moment before a model or a tool is called: for ten seconds, longer than a lease. */
class FreezingWorker {
  milliseconds = 0;
  /** The lease of the run at each execution of the tool. */
  readonly executions: (Date | null)[] = [];
  readonly models = new ScriptedModels(answer, sleep);
  #isFreezing = true;

  constructor(
    private readonly moment: "model" | "tool",
    /** Happens in other processes meanwhile. */
    private readonly whileFrozen: () => Promise<unknown>,
    private readonly frozenMs = 10_000,
  ) {}

  async #freezeAt(moment: "model" | "tool"): Promise<void> {
    if (moment !== this.moment || !this.#isFreezing) return;
    this.#isFreezing = false;
    await this.whileFrozen();
    this.milliseconds += this.frozenMs;
  }

  readonly #send: Tool = {
    spec: { name: "send", description: "Sends.", parameters: { type: "object" } },
    // The engine reads the arguments just before it executes the tool.
    input: z.unknown().refine(async () => {
      await this.#freezeAt("tool");
      return true;
    }),
    execute: async (_, { idempotencyKey }) => {
      const [id] = idempotencyKey.split(":");
      const { leaseUntil } = await db.run.findUniqueOrThrow({ where: { id: id ?? "" } });
      this.executions.push(leaseUntil);
      return "sent";
    },
  };

  start(): void {
    const models = {
      find: (name: string) => {
        const found = this.models.find(name);
        // The engine waits for its turn at a provider after the call was stored.
        const admit = async () => {
          await this.#freezeAt("model");
          return () => {};
        };
        return found && { ...found, admit };
      },
    };
    const tools = { find: () => this.#send };
    const context = { models, tools, now: Date.now, random: () => 0, sleep };
    executors.make({}, { context, concurrency: 1, monotonicNow: () => this.milliseconds }).executor.wake();
  }
}

describe("a worker that was frozen for longer than its lease", () => {
  test.each([
    ["model", 2, 1],
    ["tool", 3, 1],
  ] as const)(
    "does not call the %s that it was about to call when another process drives the run",
    async (moment, modelCalls, toolCalls) => {
      const id = await insertWaitingRun(source);
      const worker = new FreezingWorker(moment, () =>
        db.run.update({ where: { id }, data: { owner: "other", epoch: { increment: 1 } } }),
      );
      // It has one slot: the second run begins once it has let go of the first.
      const second = await insertWaitingRun(source, "go", { createdAt: new Date(Date.now() + 1_000) });
      worker.start();
      await waitForEnd(second);
      expect([worker.models.requests.length, worker.executions.length]).toEqual([modelCalls, toolCalls]);
      expect((await getRun(localViewer, id)).status).toBe("RUNNING");
      await db.run.update({ where: { id }, data: { status: "FAILED" } });
    },
  );

  test.each(["model", "tool"] as const)(
    "renews its lease and calls the %s when the run is still its own",
    async (moment) => {
      const id = await insertWaitingRun(source);
      const worker = new FreezingWorker(moment, () =>
        db.run.update({ where: { id }, data: { leaseUntil: new Date(0) } }),
      );
      worker.start();
      expect(await waitForEnd(id)).toMatchObject({ status: "SUCCESS", output: { text: "Sent." } });
      expect(worker.models.requests).toHaveLength(2);
      expect(worker.executions).toEqual([expect.any(Date)]);
      expect(worker.executions[0]?.getTime()).toBeGreaterThan(0);
    },
  );
});

describe("a worker that was frozen for about as long as its lease", () => {
  test.each([
    ["model", "does not renew it before it expires", 7_999, 0],
    ["tool", "does not renew it before it expires", 7_999, 0],
    ["model", "renews it in the moment in which it expires", 8_000, 1],
    ["tool", "renews it in the moment in which it expires", 8_000, 1],
  ] as const)("%s: %s", async (moment, _, frozenMs, renewals) => {
    const id = await insertWaitingRun(source);
    const expire = () => db.run.update({ where: { id }, data: { leaseUntil: new Date(0) } });
    const worker = new FreezingWorker(moment, expire, frozenMs);
    worker.start();
    expect(await waitForEnd(id)).toMatchObject({ status: "SUCCESS", output: { text: "Sent." } });
    expect(worker.executions.map((lease) => Number((lease?.getTime() ?? 0) > 0))).toEqual([renewals]);
  });
});

describe("a lease of ten seconds that was claimed in second 5", () => {
  const seconds = 1_000;
  /** `renew` happens at each renewal. */
  function claim(renew: () => boolean = () => true) {
    let [now, renewals] = [5 * seconds, 0];
    const renewNext = async (): Promise<boolean> => {
      if (++renewals > 10) throw new Error("It is renewed again and again.");
      return renew();
    };
    const lease = new HeldLease({ leaseMs: 10 * seconds, monotonicNow: () => now, renew: renewNext }, now);
    /** How often the lease had been renewed when a call could begin. */
    const confirmAt = async (second: number): Promise<number> => {
      now = second * seconds;
      expect(await lease.confirm()).toBe(true);
      return renewals;
    };
    const pass = (passed: number): void => {
      now += passed * seconds;
    };
    return { lease, confirmAt, pass };
  }

  test("is renewed before a call from second 15 on, and then every ten seconds", async () => {
    const { confirmAt } = claim();
    const counts: number[] = [];
    for (const second of [5, 14.999, 15, 24.999, 25, 40]) counts.push(await confirmAt(second));
    expect(counts).toEqual([0, 0, 1, 1, 2, 3]);
  });

  test("is held from the moment on in which a heartbeat was sent; an earlier one shortens nothing", async () => {
    const { lease, confirmAt } = claim();
    lease.noteRenewal(12 * seconds);
    lease.noteRenewal(7 * seconds);
    expect([await confirmAt(21.999), await confirmAt(22)]).toEqual([0, 1]);
  });

  test("is renewed again where the renewal took as long as a lease", async () => {
    let times = 0;
    const { confirmAt, pass } = claim(() => {
      pass(++times === 1 ? 10 : 9.999);
      return true;
    });
    expect(await confirmAt(15)).toBe(2);
  });

  test("is not held any more where another process has it", async () => {
    const { lease, pass } = claim(() => false);
    expect(await lease.confirm()).toBe(true);
    pass(10);
    expect(await lease.confirm()).toBe(false);
  });
});

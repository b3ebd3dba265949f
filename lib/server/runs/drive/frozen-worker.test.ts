import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Tool } from "@/lib/core/run/ports/tool";
import { type Script, ScriptedModels } from "@/lib/core/run/testing/scripted-model";
import { localViewer } from "../../auth/viewer";
import type { Db } from "../../db";
import { startServices } from "../../start";
import { getRun } from "../read/queries";
import { insertWaitingRun, OwnExecutors, sleep, waitForEnd } from "../testing/own-executors";

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

/** A process that is frozen for ten seconds, longer than a lease, in the last moment before a model or a tool is called. */
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
  ) {}

  async #freezeAt(moment: "model" | "tool"): Promise<void> {
    if (moment !== this.moment || !this.#isFreezing) return;
    this.#isFreezing = false;
    await this.whileFrozen();
    this.milliseconds += 10_000;
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

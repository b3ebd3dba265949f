import "server-only";
import { setTimeout as sleepFor } from "node:timers/promises";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { type Script, ScriptedModels } from "@/lib/core/run/testing/scripted-model";
import { localViewer } from "../../auth/viewer";
import { type Db, getDb } from "../../db";
import { createFlow } from "../../flows/commands";
import { toolPort } from "../../tools/registry";
import { Executor, type ExecutorOptions } from "../drive/executor";
import { getRun } from "../read/queries";
import { onRunWritten } from "../store/notify-run";
import { newRow } from "./insert-runs";

/** Two agents, one after the other, whose models only a test can answer for. */
export const chain = `name: Chain
agents:
  a: { model: "compatible:x" }
  b: { model: "compatible:x" }
swarm: { type: workflow, flow: a >> b }
`;

export const sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
  await sleepFor(ms, undefined, { signal });
};

type OwnExecutorOptions = Partial<ExecutorOptions> & { now?: () => number };

/** Executors as other processes would have them, which ask scripted models. */
export class OwnExecutors {
  readonly #executors: Executor[] = [];

  constructor(readonly db: Db) {}

  make(script: Script, { now = Date.now, ...options }: OwnExecutorOptions = {}) {
    const models = new ScriptedModels(script, sleep);
    const context = { models, tools: toolPort, now, random: () => 0, sleep };
    const executor = new Executor(this.db, { concurrency: 4, context, ...options });
    this.#executors.push(executor);
    return { executor, models };
  }

  /** Resolves when none of them takes a run any more: not even by a claim that was under way. */
  async stop(): Promise<void> {
    for (const executor of this.#executors) executor.takesRuns = false;
    await Promise.all(this.#executors.splice(0).map((executor) => executor.shutDown()));
  }
}

/** The row of a run that waits for an executor; its id. */
export async function insertWaitingRun(source: string, input = "go", row: object = {}): Promise<string> {
  const db = await getDb();
  const { id: flowId, revision } = await createFlow(localViewer, { source });
  const data = { ...newRow(), flowId, revisionId: revision, flowName: "T", input, ...row };
  return (await db.run.create({ data })).id;
}

/** The run, once it has ended. It is read after each write to it: reading it again and again would take the run's turns. */
export async function waitForEnd(id: string) {
  let notify = (): void => {};
  const stopListening = onRunWritten(id, () => notify());
  try {
    for (;;) {
      const written = new Promise<void>((resolve) => {
        notify = resolve;
      });
      const run = await getRun(localViewer, id);
      if (isTerminal(run.status)) return run;
      await written;
    }
  } finally {
    stopListening();
  }
}

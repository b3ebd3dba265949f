import { randomInt } from "node:crypto";
import { rmSync } from "node:fs";
import { runFlow } from "@/lib/core/run/run-flow";
import { readSource } from "@/lib/core/source/read-source";
import { localViewer } from "@/lib/server/auth/viewer";
import type { Db } from "@/lib/server/db";
import { createFlow } from "@/lib/server/flows/commands";
import { answerQuestion } from "@/lib/server/runs/commands";
import { newRow } from "@/lib/server/runs/testing/insert-runs";
import { startServices } from "@/lib/server/start";
import { crashFlows, heldFlow, toSource, writersFlow } from "./crash-flows";
import { buildExecutor, ExecutorChild } from "./executor-child";
import { toOutsideContext } from "./outside-ports";
import { OutsideServer } from "./outside-server";
import { WatchedRun } from "./watched-run";

const sources = new Map(
  Object.entries({ ...crashFlows, held: heldFlow, writers: writersFlow }).map(([name, flow]) => [
    name,
    toSource(name, flow),
  ]),
);

/** The database, the servers on loopback, and the flows. This process drives no run itself. */
export class CrashWorld {
  readonly server = new OutsideServer(1);
  readonly #reference = new OutsideServer(0);
  readonly #flows = new Map<string, { flowId: string; revisionId: string }>();
  readonly #firstInput = randomInt(1_000_000);
  #inputs = 0;
  #spare: ExecutorChild | null = null;

  private constructor(
    readonly db: Db,
    private readonly program: string,
  ) {}

  /** Opens the database of this process's environment. */
  static async open(): Promise<CrashWorld> {
    const db = await startServices();
    // On PostgreSQL it would also take the jobs of runs.
    await globalThis.swarmloomServices?.endRuns();
    const world = new CrashWorld(db, await buildExecutor());
    await world.server.start();
    await world.#reference.start();
    for (const [name, source] of sources) {
      const { id: flowId, revision: revisionId } = await createFlow(localViewer, { source });
      world.#flows.set(name, { flowId, revisionId });
    }
    return world;
  }

  /** A run that waits for an executor. */
  async insertRun(shape: string): Promise<WatchedRun> {
    const flow = this.#flows.get(shape);
    if (!flow) throw new Error(`there is no flow ${shape}`);
    const input = `Input ${this.#firstInput + this.#inputs++}`;
    const expected = await this.#findOutput(shape, input);
    const { id } = await this.db.run.create({ data: { ...newRow(), ...flow, flowName: shape, input } });
    return new WatchedRun(id, shape, expected, this.db, this.server);
  }

  /** The output of a run that is not interrupted. */
  async #findOutput(shape: string, input: string): Promise<string> {
    const { flow } = readSource(sources.get(shape) ?? "", { tools: ["record_note", "http_request"] });
    const context = {
      ...toOutsideContext(this.#reference.origin),
      humanInput: { ask: async () => ({ decision: "approved", by: "You" }) as const },
      signal: new AbortController().signal,
    };
    for await (const event of runFlow(flow, input, context, { runId: input })) {
      if (event.type !== "run.finished") continue;
      if (event.status !== "SUCCESS") throw new Error(`${shape} fails without a kill: ${event.error?.message}`);
      return event.output.text;
    }
    throw new Error(`${shape} has no end`);
  }

  /** An executor process that takes runs. The one after it is loaded already meanwhile. */
  async startExecutor(): Promise<ExecutorChild> {
    const child = this.#spare ?? new ExecutorChild(this.program, this.server.origin);
    this.#spare = null;
    await child.startExecutor();
    this.#spare = new ExecutorChild(this.program, this.server.origin);
    return child;
  }

  /** Approves what runs wait for, as a user does in the app. */
  async approve(runIds: readonly string[]): Promise<void> {
    const nodes = await this.db.runNode.findMany({ where: { runId: { in: [...runIds] }, status: "WAITING" } });
    for (const { runId, nodeId } of nodes) {
      const where = { runId, type: "answer.requested" };
      const asked = await this.db.runEvent.findFirst({ where, orderBy: { seq: "desc" }, select: { seq: true } });
      if (!asked || (await this.db.runAnswer.count({ where: { runId, question: asked.seq } })) > 0) continue;
      await answerQuestion(localViewer, runId, nodeId, { question: asked.seq, decision: "approved" });
    }
  }

  async close(): Promise<void> {
    await this.#spare?.kill();
    await this.server.close();
    await this.#reference.close();
    rmSync(this.program);
    await globalThis.swarmloomServices?.closeDatabase();
  }
}

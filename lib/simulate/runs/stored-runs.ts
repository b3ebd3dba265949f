import type Sqlite from "better-sqlite3";
import { z } from "zod";
import { Violation } from "../world/world";

const eventSchema = z.looseObject({
  type: z.string(),
  id: z.number().optional(),
  path: z.string().optional(),
  status: z.string().optional(),
});
const errorSchema = z.object({ code: z.string(), message: z.string() });

interface RunHead {
  status: string;
  owner: string | null;
  error: string | null;
  output: string;
}

/** What the store has of one run, read after each event. */
class StoredRun {
  seq = 0;
  hasEnded = false;
  /** Takeovers since a step ended. */
  resumesInARow = 0;
  mostResumesInARow = 0;
  readonly #paths = new Map<number, string>();
  /** Steps that have ended well. */
  readonly finishedPaths = new Set<string>();

  constructor(private readonly id: string) {}

  take(seq: number, body: string): void {
    if (seq !== this.seq + 1) throw new Violation(`run ${this.id}: event ${this.seq + 1} is missing`);
    if (this.hasEnded) throw new Violation(`run ${this.id}: event ${seq} comes after its end`);
    this.seq = seq;
    const { type, id = 0, path, status } = eventSchema.parse(JSON.parse(body));
    if (type === "node.started" && path !== undefined) this.#paths.set(id, path);
    if (type === "node.finished") {
      this.resumesInARow = 0;
      if (status === "SUCCESS") this.finishedPaths.add(this.#paths.get(id) ?? "");
    }
    if (type === "run.resumed") this.mostResumesInARow = Math.max(this.mostResumesInARow, ++this.resumesInARow);
    if (type === "run.finished") this.hasEnded = true;
  }
}

/** All runs that the simulation knows. */
export class StoredRuns {
  readonly #runs = new Map<string, StoredRun>();
  readonly #events;
  readonly #head;

  constructor(private readonly connection: Sqlite.Database) {
    this.#events = connection.prepare<[string, number], { seq: bigint; body: string }>(
      `SELECT "seq", "body" FROM "RunEvent" WHERE "runId" = ? AND "seq" > ? ORDER BY "seq"`,
    );
    this.#head = connection.prepare<[string], RunHead>(
      `SELECT "status", "owner", "error", "output" FROM "Run" WHERE "id" = ?`,
    );
  }

  watch(id: string): void {
    if (!this.#runs.has(id)) this.#runs.set(id, new StoredRun(id));
  }

  get ids(): string[] {
    return [...this.#runs.keys()];
  }

  /** Takes what is new. Throws Violation. */
  follow(): void {
    // What a transaction wrote may yet be undone.
    if (this.connection.inTransaction) return;
    for (const [id, run] of this.#runs) {
      for (const { seq, body } of this.#events.all(id, run.seq)) run.take(Number(seq), body);
    }
  }

  get(id: string): { run: StoredRun; head: RunHead } {
    const head = this.#head.get(id);
    const run = this.#runs.get(id);
    if (!head || !run) throw new Violation(`run ${id} was acknowledged, and is not stored`);
    return { run, head };
  }
}

/** The code and message of a run's error. */
export const readError = (error: string | null): { code: string; message: string } =>
  error === null ? { code: "", message: "" } : errorSchema.parse(JSON.parse(error));

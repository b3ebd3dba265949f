import Sqlite from "better-sqlite3";
import { retryWhileBusy, toDatabaseError } from "./database-error";
import type { Columns, ColumnValue, RunStore, RunWrite } from "./run-store";
import type { FaultListener } from "./sqlite-adapter";
import { storePatienceMs, writePatiently } from "./store-patience";
import { WriteGroups } from "./write-groups";

/** A checkpoint waits for the disk: every 16 MB instead of every 4. */
export const checkpointPages = 4000;

/** The connection of the store of runs: beside that of the ORM, which may hold a transaction open across turns of the event loop. */
export function connectRunDatabase(file: string): Sqlite.Database {
  const database = new Sqlite(file, { timeout: 0 });
  database.pragma("synchronous = FULL");
  database.pragma(`wal_autocheckpoint = ${checkpointPages}`);
  database.pragma("foreign_keys = ON");
  return database;
}

/**
 * Stores runs through a connection of its own, with prepared statements: the writes of one turn of the event loop are one
 * transaction that begins and ends within one turn, so that no reader ever waits for it. While another connection holds
 * the write lock, or the disk is full, the attempt is repeated, with the event loop free in between.
 */
export function createSqliteRunStore(
  database: Sqlite.Database,
  onFault: FaultListener,
  { patienceMs = storePatienceMs }: { patienceMs?: number } = {},
): RunStore {
  const writer = new SqliteRunWriter(database);
  let isClosed = false;
  const groups = new WriteGroups({
    concurrency: 1,
    perform: (writes) =>
      writePatiently(() => retryWhileBusy(() => writer.write(writes)), {
        ...{ toFault: toDatabaseError, onFault, patienceMs },
        isClosed: () => isClosed,
      }),
  });
  return {
    write: (write) => groups.add(write),
    close: async () => {
      isClosed = true;
      await groups.idle();
      database.close();
    },
  };
}

type Statement = Sqlite.Statement<unknown[]>;

/** The columns that identify a row, besides `runId`. */
const keys = { RunEvent: ["seq"], RunPayload: ["nodeId", "field"], RunNode: ["nodeId"] } as const;

/** Writes to the tables of runs through prepared statements, each list of writes in one transaction. */
export class SqliteRunWriter {
  readonly #statements = new Map<string, Statement>();
  readonly #writeAll: Sqlite.Transaction<(writes: readonly RunWrite[]) => RunWrite[]>;

  constructor(private readonly database: Sqlite.Database) {
    this.#writeAll = database.transaction((writes) => writes.filter((write) => this.#perform(write)));
  }

  /** The ids of the runs that are still the writers': nothing is written to the others. */
  write(writes: readonly RunWrite[]): ReadonlySet<string> {
    return new Set(this.#writeAll.immediate(writes).map(({ runId }) => runId));
  }

  #perform({ runId, owner, epoch, run, events, payloads, nodes }: RunWrite): boolean {
    if (!this.#updateRun(run, [runId, owner, epoch])) return false;
    this.#insert("RunEvent", runId, events);
    this.#upsert("RunPayload", runId, payloads);
    this.#upsert("RunNode", runId, nodes);
    return true;
  }

  /** Whether the run is still the writer's. */
  #updateRun(columns: Columns, fence: readonly [runId: string, owner: string, epoch: number]): boolean {
    const names = Object.keys(columns);
    const where = `WHERE "id" = ? AND "owner" = ? AND "epoch" = ? AND "status" IN ('RUNNING', 'WAITING')`;
    if (names.length === 0) return this.#prepare(`SELECT 1 FROM "Run" ${where}`).get(...fence) !== undefined;
    const assignments = names.map((name) => `"${name}" = ?`).join(", ");
    const statement = this.#prepare(`UPDATE "Run" SET ${assignments} ${where}`);
    return statement.run(...Object.values(columns).map(toSqlite), ...fence).changes === 1;
  }

  #insert(table: keyof typeof keys, runId: string, rows: readonly Columns[], onConflict = ""): void {
    const [first] = rows;
    if (!first) return;
    const names = ["runId", ...Object.keys(first)].map((name) => `"${name}"`);
    const values = names.map(() => "?").join(", ");
    const statement = this.#prepare(`INSERT INTO "${table}" (${names.join(", ")}) VALUES (${values})${onConflict}`);
    for (const row of rows) statement.run(runId, ...Object.values(row).map(toSqlite));
  }

  /** Changes rows in place: their indexes stay as they are. */
  #upsert(table: keyof typeof keys, runId: string, rows: readonly Columns[]): void {
    const key: readonly string[] = keys[table];
    const changes = Object.keys(rows[0] ?? {}).filter((name) => !key.includes(name));
    const assignments = changes.map((name) => `"${name}" = excluded."${name}"`).join(", ");
    const target = ["runId", ...key].map((name) => `"${name}"`).join(", ");
    this.#insert(table, runId, rows, ` ON CONFLICT (${target}) DO UPDATE SET ${assignments}`);
  }

  /** Only names of columns distinguish statements of one kind, so there are few. */
  #prepare(sql: string): Statement {
    const statement = this.#statements.get(sql) ?? this.database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** As the driver of the ORM writes them: it reads what is written here. */
function toSqlite(value: ColumnValue): string | number | null {
  if (value instanceof Date) return writeMoment(value.getTime());
  return typeof value === "boolean" ? Number(value) : value;
}

let lastMoment = { time: 0, text: "" };

/** Rows that are written together are mostly of the same millisecond. */
function writeMoment(time: number): string {
  if (lastMoment.time !== time || lastMoment.text === "")
    lastMoment = { time, text: new Date(time).toISOString().replace("Z", "+00:00") };
  return lastMoment.text;
}

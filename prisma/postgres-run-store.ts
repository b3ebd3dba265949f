import type { Pool } from "pg";
import { retryConflicts, toPostgresError } from "./postgres-error";
import { createPool } from "./postgres-pool";
import { toStorableText } from "./postgres-text";
import type { Columns, ColumnValue, RunStore, RunWrite } from "./run-store";
import type { FaultListener } from "./sqlite-adapter";

/** Connections of the store of runs, besides those of the ORM: what runs produce waits for no reader. */
const connections = 8;

/** How long a write is repeated while the server cannot be reached, and the waits between two attempts, in milliseconds. */
const patience = { total: 30_000, firstWait: 50, longestWait: 1_000 };

/**
 * Stores runs in PostgreSQL: a write is one prepared statement, whose first part finds the run if it is still the
 * writer's and locks it, so that none of the others has an effect when it is not. While the server restarts, writes wait for it.
 */
export function createPostgresRunStore(url: string, onFault: FaultListener): RunStore {
  const pool = createPool(url, { max: connections });
  const writer = new RunWriter(pool);
  let isClosed = false;
  return {
    write: async (write) => {
      const deadline = performance.now() + patience.total;
      for (let wait = patience.firstWait; ; wait = Math.min(2 * wait, patience.longestWait)) {
        try {
          const isWritten = await writer.write(write);
          onFault(null);
          return isWritten;
        } catch (error) {
          const fault = toPostgresError(error);
          if (!fault) throw error;
          onFault(fault);
          if (fault.fault !== "unreachable" || isClosed || performance.now() + wait > deadline) throw fault;
        }
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    },
    close: () => {
      isClosed = true;
      return pool.end();
    },
  };
}

/** The columns that identify a row, besides `runId`. */
const keys = { RunEvent: ["seq"], RunPayload: ["nodeId", "field"], RunNode: ["nodeId"] } as const;
type Table = keyof typeof keys;

class RunWriter {
  /** Names of prepared statements, by their text: only names of columns distinguish them, so there are few. */
  readonly #names = new Map<string, string>();
  /** Runs whose last write may have been stored, although its connection was lost. */
  readonly #inDoubt = new Set<string>();

  constructor(private readonly pool: Pool) {}

  /** Whether the run is still the writer's: nothing is written otherwise. */
  async write(write: RunWrite): Promise<boolean> {
    const { text, values } = toStatement(write, this.#inDoubt.has(write.runId));
    const name = this.#names.get(text) ?? `swarmloom-run-${this.#names.size}`;
    this.#names.set(text, name);
    try {
      const { rows } = await retryConflicts(() => this.pool.query({ name, text, values }));
      this.#inDoubt.delete(write.runId);
      return rows.length === 1;
    } catch (error) {
      if (toPostgresError(error)?.fault === "unreachable") this.#inDoubt.add(write.runId);
      throw error;
    }
  }
}

/** `isRepeated`: the events may be there already. The fence makes certain that this writer stored them. */
function toStatement({ runId, owner, epoch, run, events, payloads, nodes }: RunWrite, isRepeated: boolean) {
  const values: unknown[] = [runId, owner, epoch];
  const addValue = (value: unknown): string => `$${values.push(value)}`;
  const parts = [`"claimed" AS (${toClaim(run, (value) => addValue(toPostgres(value)))})`];
  const insert = (table: Table, rows: readonly Columns[], toConflict: (columns: readonly string[]) => string): void => {
    const [first] = rows;
    if (!first) return;
    const columns = Object.keys(first);
    const names = columns.map((name) => `"${name}"`).join(", ");
    const selected = columns.map((name) => `"row"."${name}"`).join(", ");
    const source = `json_populate_recordset(null::"${table}", ${addValue(toRecords(rows))}::json) AS "row"`;
    parts.push(
      `"${table}s" AS (INSERT INTO "${table}" ("runId", ${names}) SELECT "claimed"."id", ${selected} FROM "claimed", ${source}${toConflict(columns)})`,
    );
  };
  insert("RunEvent", events, () => (isRepeated ? ` ON CONFLICT ("runId", "seq") DO NOTHING` : ""));
  insert("RunPayload", payloads, (columns) => toUpdate("RunPayload", columns));
  insert("RunNode", nodes, (columns) => toUpdate("RunNode", columns));
  return { text: `WITH ${parts.join(",\n")}\nSELECT "id" FROM "claimed"`, values };
}

function toClaim(run: Columns, addValue: (value: ColumnValue) => string): string {
  const where = `WHERE "id" = $1 AND "owner" = $2 AND "epoch" = $3 AND "status" IN ('RUNNING', 'WAITING')`;
  const assignments = Object.entries(run).map(([name, value]) => `"${name}" = ${addValue(value)}`);
  if (assignments.length === 0) return `SELECT "id" FROM "Run" ${where} FOR NO KEY UPDATE`;
  return `UPDATE "Run" SET ${assignments.join(", ")} ${where} RETURNING "id"`;
}

/** Changes a row that is there in place. */
function toUpdate(table: Table, columns: readonly string[]): string {
  const key: readonly string[] = keys[table];
  const changes = columns.filter((name) => !key.includes(name)).map((name) => `"${name}" = excluded."${name}"`);
  const target = ["runId", ...key].map((name) => `"${name}"`).join(", ");
  return ` ON CONFLICT (${target}) DO UPDATE SET ${changes.join(", ")}`;
}

/** Moments are stored in UTC; a column without a time zone ignores the one of the text. */
const toPostgres = (value: ColumnValue): ColumnValue => {
  if (value instanceof Date) return value.toISOString();
  return typeof value === "string" ? toStorableText(value) : value;
};

const toRecords = (rows: readonly Columns[]): string =>
  JSON.stringify(rows, (_, value: unknown) => (typeof value === "string" ? toStorableText(value) : value));

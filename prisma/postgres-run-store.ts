import type { Pool } from "pg";
import { retryConflicts, toPostgresError } from "./postgres-error";
import { createPool } from "./postgres-pool";
import { toStorableText } from "./postgres-text";
import type { Columns, RunStore, RunWrite } from "./run-store";
import type { FaultListener } from "./sqlite-adapter";
import { storePatienceMs, writePatiently } from "./store-patience";
import { WriteGroups } from "./write-groups";

/**
 * Connections of the store of runs, besides those of the ORM: what runs produce waits for no reader. Each has one statement
 * under way: the fewer they are, the more writes each of them has.
 */
const connections = 4;

/**
 * Stores runs in PostgreSQL: the writes of several runs are one prepared statement, whose first part finds and locks the
 * runs that are still the writers', so that none of the others has an effect on a run that is not. While the server
 * restarts, or its disk is full, writes wait for it.
 */
export function createPostgresRunStore(
  url: string,
  onFault: FaultListener,
  { patienceMs = storePatienceMs }: { patienceMs?: number } = {},
): RunStore {
  const pool = createPool(url, { max: connections });
  const writer = new RunWriter(pool);
  let isClosed = false;
  const groups = new WriteGroups({
    concurrency: connections,
    // A statement changes the same columns of all its runs.
    toKind: ({ runId, run }) => `${writer.isInDoubt(runId)} ${Object.keys(run).join(" ")}`,
    perform: (writes) =>
      writePatiently(() => writer.write(writes), {
        ...{ toFault: toPostgresError, onFault, patienceMs },
        isClosed: () => isClosed,
      }),
  });
  return {
    write: (write) => groups.add(write),
    close: async () => {
      isClosed = true;
      await groups.idle();
      await pool.end();
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

  isInDoubt(runId: string): boolean {
    return this.#inDoubt.has(runId);
  }

  /** The ids of the runs that are still the writers': nothing is written to the others. */
  async write(writes: readonly RunWrite[]): Promise<ReadonlySet<string>> {
    const isRepeated = writes.some(({ runId }) => this.isInDoubt(runId));
    const { text, values } = toStatement(writes, isRepeated);
    const name = this.#names.get(text) ?? `swarmloom-run-${this.#names.size}`;
    this.#names.set(text, name);
    try {
      const { rows } = await retryConflicts(() => this.pool.query<{ id: string }>({ name, text, values }));
      for (const { runId } of writes) this.#inDoubt.delete(runId);
      return new Set(rows.map(({ id }) => id));
    } catch (error) {
      if (toPostgresError(error)?.fault === "unreachable") for (const { runId } of writes) this.#inDoubt.add(runId);
      throw error;
    }
  }
}

/**
 * `isRepeated`: the events may be there already, and the run may have the status that is written. The fence makes certain
 * that this writer stored them.
 */
function toStatement(writes: readonly RunWrite[], isRepeated: boolean) {
  const values: unknown[] = [];
  const addRows = (rows: readonly Columns[]): string => `$${values.push(toRecords(rows))}::json`;
  const claims = addRows(
    writes.map(({ runId, owner, epoch, run }) => ({ id: runId, owner, epoch, status: run.status ?? null })),
  );
  const changes = writes.map(({ runId, run }) => ({ id: runId, ...run }));
  const parts = toClaim(claims, { columns: Object.keys(writes[0]?.run ?? {}), isRepeated }, () => addRows(changes));
  const insert = (table: Table, rows: readonly Columns[], toConflict: (columns: readonly string[]) => string): void => {
    const [first] = rows;
    if (!first) return;
    const columns = Object.keys(first);
    const names = columns.map((name) => `"${name}"`).join(", ");
    const selected = columns.map((name) => `"row"."${name}"`).join(", ");
    const source = `json_populate_recordset(null::"${table}", ${addRows(rows)}) AS "row"`;
    parts.push(
      `"${table}s" AS (INSERT INTO "${table}" (${names}) SELECT ${selected} FROM ${source} JOIN "claimed" ON "claimed"."id" = "row"."runId"${toConflict(columns)})`,
    );
  };
  const collect = (list: "events" | "payloads" | "nodes"): Columns[] =>
    writes.flatMap((write) => write[list].map((row) => ({ runId: write.runId, ...row })));
  insert("RunEvent", collect("events"), () => (isRepeated ? ` ON CONFLICT ("runId", "seq") DO NOTHING` : ""));
  insert("RunPayload", collect("payloads"), (columns) => toUpdate("RunPayload", columns));
  insert("RunNode", collect("nodes"), (columns) => toUpdate("RunNode", columns));
  return { text: `WITH ${parts.join(",\n")}\nSELECT "id" FROM "claimed"`, values };
}

/**
 * The parts of a statement that end with `claimed`: the runs that are still the writers', locked. In the order of their
 * ids, so that two statements never wait for each other.
 */
function toClaim(
  claims: string,
  { columns, isRepeated }: { columns: readonly string[]; isRepeated: boolean },
  addChanges: () => string,
): string[] {
  const isClaimed = `"Run"."id" = "claim"."id" AND "Run"."owner" = "claim"."owner" AND "Run"."epoch" = "claim"."epoch"`;
  const name = columns.length === 0 ? "claimed" : "locked";
  const isOpen = `"Run"."status" IN ('RUNNING', 'WAITING')${isRepeated ? ` OR "Run"."status" = "claim"."status"` : ""}`;
  const locked = `"${name}" AS (SELECT "Run"."id" FROM "Run" JOIN json_to_recordset(${claims}) AS "claim"("id" text, "owner" text, "epoch" int, "status" text) ON ${isClaimed}
    WHERE ${isOpen} ORDER BY "Run"."id" FOR NO KEY UPDATE OF "Run")`;
  if (columns.length === 0) return [locked];
  const assignments = columns.map((column) => `"${column}" = "change"."${column}"`).join(", ");
  const changed = `UPDATE "Run" SET ${assignments} FROM "locked", json_populate_recordset(null::"Run", ${addChanges()}) AS "change"
    WHERE "Run"."id" = "locked"."id" AND "change"."id" = "locked"."id" RETURNING "Run"."id"`;
  return [locked, `"claimed" AS (${changed})`];
}

/** Changes a row that is there in place. */
function toUpdate(table: Table, columns: readonly string[]): string {
  const key: readonly string[] = ["runId", ...keys[table]];
  const changes = columns.filter((name) => !key.includes(name)).map((name) => `"${name}" = excluded."${name}"`);
  return ` ON CONFLICT (${key.map((name) => `"${name}"`).join(", ")}) DO UPDATE SET ${changes.join(", ")}`;
}

/** How JSON has what PostgreSQL cannot store; also as part of a text that has it as characters. */
const mayBeUnstorable = /\\u(?:0000|d[89a-f])/i;

/**
 * Moments are in UTC; a column without a time zone ignores the one of the text. Looking at each text on its own takes
 * several times as long as all the rest.
 */
function toRecords(rows: readonly Columns[]): string {
  const records = JSON.stringify(rows);
  if (!mayBeUnstorable.test(records)) return records;
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === "string" ? toStorableText(value) : value));
}

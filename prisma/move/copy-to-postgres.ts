import { mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { Client } from "pg";
import { BackupError } from "../backup/backup-error";
import { copyDatabase } from "../backup/copy-database";
import { inspectDatabase } from "../backup/inspect-database";
import { assertNotInUse } from "../backup/replace-database";
import { type DatabaseKind, type Migration, migrateSqlite } from "../migrate";
import { migratePostgres } from "../migrate-postgres";
import { toPostgresError } from "../postgres-error";
import { toStorableText } from "../postgres-text";

interface CopyOptions {
  /** The SQLite database, which no process may have open. It is read only. */
  file: string;
  /** An empty PostgreSQL database. */
  url: string;
  migrations: Readonly<Record<DatabaseKind, readonly Migration[]>>;
  /** Where a copy of `file` is while it is brought up to date. */
  folder: string;
}

/** Rows of each table, in the order in which they were copied. */
export type CopiedRows = ReadonlyMap<string, number>;

/** Every table of the schema; those that others refer to come first. */
export const tables = [
  "Flow",
  "Revision",
  "Run",
  "RunNode",
  "RunEvent",
  "RunAnswer",
  "RunMessage",
  "RunPayload",
  "TraceExport",
  "Connection",
  "Retention",
  "Schedule",
  "Webhook",
  "User",
  "UserSession",
  "Account",
  "Verification",
  "ResetLink",
  "TwoFactor",
  "Passkey",
  "PersonalKey",
  "Team",
  "Membership",
  "FlowMembership",
  "Invitation",
  "SealedSecret",
  "ApiKey",
  "AuditEvent",
  "TeamSetting",
  "DeletedRunUsage",
  "Comment",
  "ReviewDecision",
  "Notification",
  "ShareLink",
  "FlowDocument",
  "FlowDocumentArchive",
  "FlowUpdate",
] as const;

/** Rows and UTF-16 units of one statement. */
const [batchRows, batchUnits] = [500, 4_000_000];

/**
 * Copies an installation from SQLite to an empty PostgreSQL database, in one transaction, and counts the rows afterwards.
 * The SQLite database stays as it is. Throws BackupError when it is in use, damaged or of a newer version, and when
 * the target has rows; DatabaseError when PostgreSQL cannot be reached or written.
 */
export async function copyToPostgres({ file, url, migrations, folder }: CopyOptions): Promise<CopiedRows> {
  assertNotInUse(file);
  inspectDatabase(file, migrations.sqlite);
  await migratePostgres(url, migrations.postgresql);
  const draftFolder = mkdtempSync(path.join(folder, "move-"));
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  try {
    const draft = path.join(draftFolder, "copy.db");
    copyDatabase(file, draft);
    migrateSqlite(draft, migrations.sqlite);
    await client.connect();
    return await copyTables(draft, client);
  } catch (error) {
    throw toPostgresError(error) ?? error;
  } finally {
    await client.end().catch(() => {});
    rmSync(draftFolder, { recursive: true, force: true });
  }
}

async function copyTables(file: string, client: Client): Promise<CopiedRows> {
  const source = new Sqlite(file, { readonly: true });
  try {
    await client.query("BEGIN");
    await client.query(`LOCK TABLE ${tables.map((table) => `"${table}"`).join(", ")} IN EXCLUSIVE MODE`);
    await assertEmpty(client);
    const copied = new Map<string, number>();
    for (const table of tables) copied.set(table, await copyTable(source, client, table));
    await client.query("COMMIT");
    // Until statistics are gathered the first queries would read whole tables.
    await client.query("ANALYZE");
    return copied;
  } finally {
    source.close();
  }
}

async function countRows(client: Client, table: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`SELECT count(*)::int AS "count" FROM "${table}"`);
  return rows[0]?.count ?? 0;
}

async function assertEmpty(client: Client): Promise<void> {
  for (const table of tables)
    if ((await countRows(client, table)) > 0)
      throw new BackupError(
        `The PostgreSQL database is not empty: the table ${table} has rows. A server that was started on it has stored the demo flow. Expected a new database (createdb).`,
      );
}

async function copyTable(source: Sqlite.Database, client: Client, table: string): Promise<number> {
  const columns = await readColumns(client, table);
  const names = [...columns.keys()].map((name) => `"${name}"`).join(", ");
  const insert = `INSERT INTO "${table}" (${names}) SELECT ${names} FROM json_populate_recordset(null::"${table}", $1::json)`;
  let batch: string[] = [];
  let units = 0;
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await client.query(insert, [`[${batch.join(",")}]`]);
    [batch, units] = [[], 0];
  };
  let rows = 0;
  for (const row of source.prepare<[], Record<string, unknown>>(`SELECT ${names} FROM "${table}"`).iterate()) {
    const record = JSON.stringify(row, (name, value: unknown) => toPostgres(value, columns.get(name)));
    batch.push(record);
    units += record.length;
    rows++;
    if (batch.length >= batchRows || units >= batchUnits) await flush();
  }
  await flush();
  const stored = await countRows(client, table);
  if (stored !== rows) throw new Error(`of ${rows} rows of ${table} PostgreSQL has ${stored}: nothing was copied`);
  return rows;
}

/** The columns of a table with their types. */
async function readColumns(client: Client, table: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<[name: string, type: string]>({
    text: `SELECT column_name, data_type FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = $1 ORDER BY ordinal_position`,
    values: [table],
    rowMode: "array",
  });
  return new Map(rows);
}

/** SQLite has neither a truth nor a moment: the former is a number, the latter a text, or milliseconds since the epoch. */
function toPostgres(value: unknown, type: string | undefined): unknown {
  if (value === null) return null;
  if (type === "boolean") return Boolean(value);
  if (type?.startsWith("timestamp") && (typeof value === "string" || typeof value === "number"))
    return new Date(value).toISOString();
  return typeof value === "string" ? toStorableText(value) : value;
}

import "server-only";
import Sqlite from "better-sqlite3";
import { Client } from "pg";

/** A database of the product, for statements that the product never makes. */
export interface BulkDatabase {
  /** SQL that makes a column of moments of a text with an ISO date. */
  toMoment(text: string): string;
  /** SQL of the table "sketch" of the rows of a JSON array in the first parameter, with the column "value". */
  readonly jsonRows: string;
  /** The names of a table's columns. */
  listColumns(table: string): Promise<string[]>;
  execute(statement: string, values?: readonly unknown[]): Promise<void>;
  count(table: string): Promise<number>;
  /** Gathers what the planner of queries knows of the tables, as a server does by itself after a while. */
  analyze(): Promise<void>;
  close(): Promise<void>;
}

/** `url`: as DATABASE_URL; the database has been migrated. */
export async function openBulkDatabase(url: string): Promise<BulkDatabase> {
  return url.startsWith("file:") ? openSqlite(url.slice("file:".length)) : openPostgres(url);
}

function openSqlite(file: string): BulkDatabase {
  const database = new Sqlite(file);
  database.pragma("synchronous = OFF");
  database.pragma("cache_size = -200000");
  const listColumns = database.prepare<[string], { name: string }>(`SELECT "name" FROM pragma_table_info(?)`);
  return {
    toMoment: (text) => text,
    jsonRows: `json_each(?) AS "sketch"`,
    listColumns: async (table) => listColumns.all(table).map(({ name }) => name),
    execute: async (statement, values = []) => void database.prepare(statement).run(...values),
    count: async (table) =>
      database.prepare<[], { rows: number }>(`SELECT count(*) AS "rows" FROM "${table}"`).get()?.rows ?? 0,
    // SQLite gathers nothing unless it is asked to, and the product does not.
    analyze: async () => {},
    close: async () => void database.close(),
  };
}

async function openPostgres(url: string): Promise<BulkDatabase> {
  const client = new Client({ connectionString: url });
  await client.connect();
  // Before anything is known of the tables, each batch would read all rows that were copied before.
  await client.query("SET enable_seqscan = off");
  return {
    toMoment: (text) => `CAST(${text} AS timestamp)`,
    jsonRows: `json_array_elements(CAST($1 AS json)) AS "sketch"("value")`,
    listColumns: async (table) => {
      const { rows } = await client.query<{ name: string }>(
        `SELECT column_name AS "name" FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position`,
        [table],
      );
      return rows.map(({ name }) => name);
    },
    execute: async (statement, values = []) => void (await client.query(statement, [...values])),
    count: async (table) => {
      const { rows } = await client.query<{ rows: string }>(`SELECT count(*) AS "rows" FROM "${table}"`);
      return Number(rows[0]?.rows ?? 0);
    },
    analyze: async () => void (await client.query("VACUUM ANALYZE")),
    close: () => client.end(),
  };
}

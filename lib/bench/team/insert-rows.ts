import type { BulkDatabase } from "@/lib/server/runs/testing/bulk-database";

/** A row of one table by the names of its columns; dates are moments. */
export type BulkRow = Readonly<Record<string, string | number | boolean | Date | null>>;

/** Rows of one statement. */
const batch = 500;

/**
 * Adds rows to a table by plain SQL; all of them have the columns of the first. With `template`, a column that holds the id of
 * a row of the same table, what a row does not have is taken from that row.
 */
export async function insertRows(
  database: BulkDatabase,
  table: string,
  rows: readonly BulkRow[],
  { template }: { template?: string } = {},
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = new Map(
    Object.keys(first)
      .filter((name) => name !== template)
      .map((name) => [name, toColumn(database, name, rows)]),
  );
  const names = template === undefined ? [...columns.keys()] : await database.listColumns(table);
  const source =
    template === undefined
      ? ""
      : `JOIN "${table}" AS "template" ON "template"."id" = "sketch"."value" ->> '${template}'`;
  const statement = `INSERT INTO "${table}" (${names.map((name) => `"${name}"`).join(", ")})
    SELECT ${names.map((name) => columns.get(name) ?? `"template"."${name}"`).join(", ")}
    FROM ${database.jsonRows} ${source}`;
  await database.execute("BEGIN");
  for (let start = 0; start < rows.length; start += batch)
    await database.execute(statement, [JSON.stringify(rows.slice(start, start + batch))]);
  await database.execute("COMMIT");
}

/** SQL that reads a column out of the JSON of a row. */
function toColumn(database: BulkDatabase, name: string, rows: readonly BulkRow[]): string {
  const text = `("sketch"."value" ->> '${name}')`;
  const value = rows.map((row) => row[name]).find((one) => one !== null && one !== undefined);
  if (value instanceof Date) return database.toMoment(text);
  if (typeof value === "number") return `CAST(${text} AS double precision)`;
  if (typeof value === "boolean") return `CAST(${text} AS boolean)`;
  return text;
}

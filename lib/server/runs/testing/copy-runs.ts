import "server-only";
import type { BulkDatabase } from "./bulk-database";
import type { RunSketch } from "./run-sketches";

/** Runs of one transaction. */
const batch = 250;

const texts = ["teamId", "status", "error", "errorCode", "input", "output", "search", "startedById", "startedBy"];
const moments = ["createdAt", "startedAt", "endedAt"];
const numbers = { durationMs: "double precision", cost: "double precision", tokens: "integer" };

/**
 * Stores a run for each sketch, with the steps, events and texts of its template, by plain SQL. Columns that a sketch does
 * not have are the template's. `onProgress` receives the number of the runs that are stored.
 */
export async function copyRuns(
  database: BulkDatabase,
  sketches: readonly RunSketch[],
  onProgress: (stored: number) => void = () => {},
): Promise<void> {
  const statements = [await toRunStatement(database)];
  for (const table of ["RunNode", "RunEvent", "RunPayload"]) statements.push(await toPartStatement(database, table));
  for (let start = 0; start < sketches.length; start += batch) {
    const rows = JSON.stringify(sketches.slice(start, start + batch));
    await database.execute("BEGIN");
    for (const statement of statements) await database.execute(statement, [rows]);
    await database.execute("COMMIT");
    onProgress(Math.min(start + batch, sketches.length));
  }
}

async function toRunStatement(database: BulkDatabase): Promise<string> {
  const field = (name: string): string => `("sketch"."value" ->> '${name}')`;
  const values = new Map([
    ...["id", ...texts].map((name): [string, string] => [name, field(name)]),
    ...moments.map((name): [string, string] => [name, database.toMoment(field(name))]),
    ...Object.entries(numbers).map(([name, type]): [string, string] => [name, `CAST(${field(name)} AS ${type})`]),
  ]);
  const columns = await database.listColumns("Run");
  return `INSERT INTO "Run" (${columns.map((name) => `"${name}"`).join(", ")})
    SELECT ${columns.map((name) => values.get(name) ?? `"template"."${name}"`).join(", ")}
    FROM ${database.jsonRows} JOIN "Run" AS "template" ON "template"."id" = ${field("template")}`;
}

/** `table`: one whose rows belong to a run. */
async function toPartStatement(database: BulkDatabase, table: string): Promise<string> {
  const columns = (await database.listColumns(table)).filter((name) => name !== "runId");
  return `INSERT INTO "${table}" ("runId", ${columns.map((name) => `"${name}"`).join(", ")})
    SELECT "sketch"."value" ->> 'id', ${columns.map((name) => `"part"."${name}"`).join(", ")}
    FROM ${database.jsonRows} JOIN "${table}" AS "part" ON "part"."runId" = "sketch"."value" ->> 'template'`;
}

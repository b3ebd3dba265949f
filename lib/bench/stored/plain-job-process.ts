/**
 * A worker of plain Graphile Worker jobs on the PostgreSQL database of DATABASE_URL: each job inserts the rows of a run of
 * the file that is its argument, one statement a step, without anything else.
 */
import { readFileSync } from "node:fs";
import { Logger, run } from "graphile-worker";
import { z } from "zod";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { getDatabaseLocation } from "@/lib/server/env";
import { runJob } from "@/lib/server/runs/queue/run-queue";
import { createPool } from "@/prisma/client";
import { concurrentRuns } from "./chain-runs";

/** The rows of each step: those of the first table and those of the second, as JSON. */
const rowsSchema = z.array(z.tuple([z.string(), z.string()]));
const jobSchema = z.object({ runId: z.string() });

const [, , rowsFile = ""] = process.argv;
const location = getDatabaseLocation();
if (location.type !== "postgresql") throw new Error("DATABASE_URL must name a PostgreSQL database");
const pool = createPool(location.url, { max: 8 });
const steps = parseJsonAs(readFileSync(rowsFile, "utf8"), rowsSchema);
const text = `WITH "events" AS (INSERT INTO "RunEvent" ("runId", "seq", "type", "at", "body")
  SELECT $1, "seq", "type", "at", "body" FROM json_populate_recordset(null::"RunEvent", $2::json))
  INSERT INTO "RunNode" ("runId", "nodeId", "parentId", "path", "kind", "name", "status", "startedAt", "endedAt", "body", "facts")
  SELECT $1, "nodeId", "parentId", "path", "kind", "name", "status", "startedAt", "endedAt", "body", "facts"
  FROM json_populate_recordset(null::"RunNode", $3::json)`;

async function insertRows(payload: unknown): Promise<void> {
  const { runId } = jobSchema.parse(payload);
  for (const [events, nodes] of steps) await pool.query({ name: "step", text, values: [runId, events, nodes] });
  await pool.query(`UPDATE "Run" SET "status" = 'SUCCESS' WHERE "id" = $1`, [runId]);
}

await run({
  pgPool: createPool(location.url, { max: 4 }),
  concurrency: concurrentRuns / 2,
  noHandleSignals: true,
  parsedCronItems: [],
  logger: new Logger(() => () => {}),
  taskList: { [runJob]: insertRows },
});
process.on("disconnect", () => process.exit());
process.send?.("ready");

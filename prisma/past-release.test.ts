import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import * as flow from "@/app/api/v1/flows/[id]/route";
import * as flows from "@/app/api/v1/flows/route";
import * as file from "@/app/api/v1/runs/[id]/file/route";
import * as node from "@/app/api/v1/runs/[id]/nodes/[nodeId]/route";
import * as run from "@/app/api/v1/runs/[id]/route";
import * as structure from "@/app/api/v1/runs/[id]/structure/route";
import * as turns from "@/app/api/v1/runs/[id]/turns/route";
import * as runs from "@/app/api/v1/runs/route";
import * as traceExport from "@/app/api/v1/settings/trace-export/route";
import type { Db } from "@/lib/server/db";
import { getDatabaseFile, getDataFolder } from "@/lib/server/env";
import { getExecutor } from "@/lib/server/runs/drive/executor";
import { startServices } from "@/lib/server/start";

/**
 * The fixture: a database that commit dd340e1 (schema 0007) wrote, as SQL, and what that commit answered to requests for it.
 * The database contains a run of the demo flow with parallel agents and tools, one with an approval, earlier messages and
 * an input of 17,000 characters, one that failed at a limit, and a trace export that is switched off.
 */
const readFixture = (name: string): string =>
  gunzipSync(readFileSync(path.join(import.meta.dirname, "testing", name))).toString("utf8");
const recorded = z.record(z.string(), z.unknown()).parse(JSON.parse(readFixture("release-0007-responses.json.gz")));

type Params = { id: string; nodeId: string };
type Get = (request: Request, context: { params: Promise<Params> }) => Promise<Response>;
const routes: readonly [pattern: RegExp, get: Get][] = [
  [/^flows$/, flows.GET],
  [/^flows\/(?<id>[^/]+)$/, flow.GET],
  [/^runs$/, runs.GET],
  [/^runs\/(?<id>[^/]+)$/, run.GET],
  [/^runs\/(?<id>[^/]+)\/structure$/, structure.GET],
  [/^runs\/(?<id>[^/]+)\/turns$/, turns.GET],
  [/^runs\/(?<id>[^/]+)\/file$/, file.GET],
  [/^runs\/(?<id>[^/]+)\/nodes\/(?<nodeId>\d+)$/, node.GET],
  [/^settings\/trace-export$/, traceExport.GET],
];

async function get(url: string): Promise<unknown> {
  for (const [pattern, handler] of routes) {
    const match = pattern.exec(url);
    if (!match) continue;
    const { id = "", nodeId = "" } = match.groups ?? {};
    const request = new Request(`http://127.0.0.1:3000/api/v1/${url}`, { headers: { host: "127.0.0.1:3000" } });
    const response = await handler(request, { params: Promise.resolve({ id, nodeId }) });
    expect(response.status).toBe(200);
    return response.json();
  }
  throw new Error(`no route for ${url}`);
}

const dump = (db: Sqlite.Database) =>
  ["Run", "RunNode", "RunEvent", "RunAnswer"].map((table) => db.prepare(`SELECT * FROM "${table}"`).all());

let db: Db;
let rows: unknown[][];
beforeAll(async () => {
  const sqlite = new Sqlite(getDatabaseFile());
  sqlite.exec(readFixture("release-0007.sql.gz"));
  rows = dump(sqlite);
  sqlite.exec(
    `INSERT INTO "Revision" ("id", "flowId", "hash", "source", "layout", "createdAt")
    SELECT "id" || '~', "flowId", "hash", "source", "layout", "createdAt" FROM "Revision"`,
  );
  sqlite.close();
  db = await startServices();
});
afterAll(() => db.$disconnect());

test.each(Object.keys(recorded))("answers %s with everything that the last release did", async (url) => {
  expect({ body: await get(url) }).toMatchObject({ body: recorded[url] });
});

test("changes no run", async () => {
  await getExecutor().beat();
  getExecutor().stop();
  const sqlite = new Sqlite(getDatabaseFile(), { readonly: true });
  // Later versions add columns.
  expect(dump(sqlite)).toMatchObject(rows);
  sqlite.close();
});

test("is copied before it is migrated", () => {
  const folder = path.join(getDataFolder(), "backups");
  const copies = readdirSync(folder);
  expect(copies).toEqual([expect.stringMatching(/^swarmloom-0007_shared_payloads-\d{8}T\d{6}Z\.db$/)]);
  const sqlite = new Sqlite(path.join(folder, copies[0] ?? ""), { readonly: true });
  expect(dump(sqlite)).toEqual(rows);
  expect(sqlite.prepare("SELECT count(*) FROM sqlite_master WHERE name = 'Connection'").pluck().get()).toBe(0);
  sqlite.close();
});

test("numbers the revisions of each flow in their order", async () => {
  const revisions = await db.revision.findMany({ orderBy: [{ flowId: "asc" }, { createdAt: "asc" }, { id: "asc" }] });
  const seen = new Map<string, number>();
  for (const { flowId, number } of revisions) {
    expect(number).toBe((seen.get(flowId) ?? 0) + 1);
    seen.set(flowId, number);
  }
  expect(revisions.length).toBeGreaterThan(seen.size);
});

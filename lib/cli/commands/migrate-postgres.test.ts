import { rmSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { localViewer } from "@/lib/server/auth/viewer";
import { getDatabaseLocation, getDataFolder } from "@/lib/server/env";
import { listFlows } from "@/lib/server/flows/list-flows";
import { startServices } from "@/lib/server/start";
import { connectSqlite } from "@/prisma/client";
import { migrateSqlite, readMigrations } from "@/prisma/migrate";
import { callCommand } from "../testing/call-command";

it("copies the installation of the data folder to PostgreSQL, once", async () => {
  expect(getDatabaseLocation().type).toBe("postgresql");
  const missing = await callCommand("migrate", "--from", "sqlite");
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringMatching(/^error: There is no SQLite database/)]);
  expect((await callCommand("migrate", "--from", "mysql")).code).toBe(2);

  const file = path.join(getDataFolder(), "swarmloom.db");
  migrateSqlite(file, readMigrations(path.join(import.meta.dirname, "../../../prisma/migrations/sqlite")));
  const sqlite = await connectSqlite(file);
  const times = { createdAt: new Date(), updatedAt: new Date() };
  await sqlite.flow.create({
    data: { id: "f", teamId: "local", name: "Moved", outline: "", agents: 0, errors: 0, ...times },
  });
  await sqlite.$disconnect();

  const moved = await callCommand("migrate", "--from", "sqlite");
  expect([moved.stderr, moved.code]).toEqual(["", 0]);
  expect(moved.stdout).toMatch(/^Copied to PostgreSQL: 1 flow, 0 runs, 1 row in all\.\n/);
  const again = await callCommand("migrate", "--from", `file:${file}`);
  expect([again.code, again.stderr]).toEqual([
    1,
    expect.stringMatching(/^error: The PostgreSQL database is not empty/),
  ]);
  expect(await callCommand("migrate")).toEqual({ stdout: "The database is up to date.\n", stderr: "", code: 0 });

  const db = await startServices();
  expect((await listFlows(localViewer)).flows.map(({ name }) => name)).toEqual(["Moved"]);
  await db.$disconnect();
  rmSync(file);
});

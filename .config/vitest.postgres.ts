import path from "node:path";
import type { TestProject } from "vitest/node";
import { readMigrations } from "../prisma/migrate";
import { migratePostgres } from "../prisma/migrate-postgres";
import { createTestDatabase, PostgresServer } from "../prisma/testing/postgres-server";
import { findPostgres } from "./find-postgres.mjs";

/** Starts one server for all files of a test run. Returns what stops it. */
export default async function startPostgres({ provide }: TestProject): Promise<() => Promise<void>> {
  const installation = findPostgres();
  if (!installation) throw new Error("there is no PostgreSQL");
  const server = installation.type === "programs" ? new PostgresServer(installation.folder) : null;
  await server?.start();
  const url = installation.type === "server" ? installation.url : (server?.url ?? "");
  const template = await createTestDatabase(url);
  await migratePostgres(
    template.url,
    readMigrations(path.join(import.meta.dirname, "../prisma/migrations/postgresql")),
  );
  provide("postgresUrl", url);
  provide("postgresTemplate", template.name);
  return async () => {
    await template.drop();
    await server?.stop();
  };
}

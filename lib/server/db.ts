import "server-only";
import path from "node:path";
import { connectSqlite, Prisma, type PrismaClient } from "@/prisma/client";
import { migrateSqlite, readMigrations } from "@/prisma/migrate";
import { protectData } from "./data-folder";
import { getDatabaseFile, getProjectFolder } from "./env";

/** The database, as every query and command sees it. */
export type Db = PrismaClient;

/** SQL with its values beside it, for what the query builder cannot say. Every statement must run on SQLite and PostgreSQL. */
export type Sql = Prisma.Sql;
export const { sql, join: joinSql } = Prisma;

declare global {
  var swarmloomDb: Promise<Db> | undefined;
}

/**
 * The database of this process: opened, brought up to date and, when it is new, given the demo flow, on first use.
 * The process that opens it also drives its runs and sends their traces. One for all bundles of a process, hence global.
 */
export function getDb(): Promise<Db> {
  globalThis.swarmloomDb ??= open().catch((error: unknown) => {
    globalThis.swarmloomDb = undefined;
    throw error;
  });
  return globalThis.swarmloomDb;
}

/** Whether a write failed because such a row exists. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "P2002";

async function open(): Promise<Db> {
  const file = getDatabaseFile();
  protectData(file);
  const applied = migrateSqlite(file, readMigrations(path.join(getProjectFolder(), "prisma/migrations/sqlite")));
  const db = await connectSqlite(file);
  if (applied.includes("0001_init")) {
    const { createFirstFlow } = await import("./flows/first-flow");
    await createFirstFlow(db);
  }
  const { startExecutor } = await import("./runs/executor");
  startExecutor(db);
  const { startTraceSender } = await import("./trace-export/send");
  startTraceSender(db);
  return db;
}

import "server-only";
import path from "node:path";
import { connectSqlite, Prisma, type PrismaClient, retryWhileBusy, toDatabaseError } from "@/prisma/client";
import { migrateSqlite, readMigrations } from "@/prisma/migrate";
import { protectData } from "./data-folder";
import { getDatabaseFile, getProjectFolder } from "./env";
import { setStorageFault } from "./storage-fault";

export { type DatabaseError, isDatabaseError, toDatabaseError } from "@/prisma/client";

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

/**
 * Writes a little, to learn whether a database that refused a write takes them again; the storage fault is set anew.
 * Throws DatabaseError while it does not.
 */
export async function probeStorage(db: Pick<Db, "$executeRawUnsafe">): Promise<void> {
  // Rewrites the first page of the file with what it holds.
  await db.$executeRawUnsafe("PRAGMA user_version = 0");
  setStorageFault(null);
}

/** What an error says to people. Messages of the ORM quote our code and are for its developers: they are in the log alone. */
export function toReason(error: unknown): string {
  const fault = toDatabaseError(error);
  if (fault) return fault.message;
  if (!(error instanceof Error)) return "Unknown error.";
  return error.name.startsWith("PrismaClient")
    ? "The database refused a statement; the server's log has the details."
    : error.message;
}

/** Whether a write failed because such a row exists. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "P2002";

async function open(): Promise<Db> {
  const file = getDatabaseFile();
  protectData(file);
  const migrations = readMigrations(path.join(getProjectFolder(), "prisma/migrations/sqlite"));
  const applied = await retryWhileBusy(() => migrateSqlite(file, migrations));
  const db = await connectSqlite(file, setStorageFault);
  if (applied.includes("0001_init")) {
    const { createFirstFlow } = await import("./flows/first-flow");
    await createFirstFlow(db);
  }
  const { shutDownExecutor, startExecutor } = await import("./runs/drive/executor");
  startExecutor(db);
  const { startTraceSender } = await import("./trace-export/trace-sender");
  startTraceSender(db);
  globalThis.swarmloomServices = { endRuns: shutDownExecutor, closeDatabase: () => db.$disconnect() };
  return db;
}

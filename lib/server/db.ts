import "server-only";
import {
  connectRunDatabase,
  connectSqlite,
  createSqliteRunStore,
  Prisma,
  type PrismaClient,
  type RunStore,
  toDatabaseError,
} from "@/prisma/client";

export { isDatabaseError, type RunStore, toDatabaseError } from "@/prisma/client";

/** The database, as every query and command sees it. */
export type Db = PrismaClient;

/** SQL with its values, for queries that the query builder cannot express. Every statement must run on SQLite and PostgreSQL. */
export type Sql = Prisma.Sql;
export const { sql, join: joinSql } = Prisma;

declare global {
  /** Global because the bundles of a process share one database. `startServices` sets it. */
  var swarmloomDb: Promise<Db> | undefined;
  /** Global for the same reason. `startServices` sets it. */
  var swarmloomRunStore: RunStore | undefined;
  /** Global for the same reason. */
  var swarmloomStorageFault: Error | null | undefined;
}

/** The error with which the database refused the last write; null when it accepted the write. */
export const getStorageFault = (): Error | null => globalThis.swarmloomStorageFault ?? null;

const setStorageFault = (fault: Error | null): void => {
  globalThis.swarmloomStorageFault = fault;
};

/** Opens an SQLite file whose migrations have been applied. Its storage faults are those of this process. */
export const openDatabase = (file: string): Promise<Db> => connectSqlite(file, setStorageFault);

/** Opens the store of runs in the same file. */
export const openRunStore = (file: string, connection = connectRunDatabase(file)): RunStore =>
  createSqliteRunStore(connection, setStorageFault);

/** The store of runs of this process. Throws before `startServices` has opened it. */
export function getRunStore(): RunStore {
  if (!globalThis.swarmloomRunStore) throw new Error("the store of runs is not open: call startServices() first");
  return globalThis.swarmloomRunStore;
}

/** The database of this process. Rejects when it could not be opened, or before `startServices` was called. */
export async function getDb(): Promise<Db> {
  if (!globalThis.swarmloomDb) throw new Error("the database is not open: call startServices() first");
  return globalThis.swarmloomDb;
}

/**
 * Performs a small write to learn whether a database that refused a write accepts them again, and updates the storage
 * fault. Throws DatabaseError as long as it does not.
 */
export async function probeStorage(db: Pick<Db, "$executeRawUnsafe">): Promise<void> {
  // Rewrites the first page of the file with its present content.
  await db.$executeRawUnsafe("PRAGMA user_version = 0");
  setStorageFault(null);
}

/** The message of an error for users. Messages of the ORM quote our code: only the log contains them. */
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

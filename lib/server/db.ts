import "server-only";
import {
  connectPostgres,
  connectRunDatabase,
  connectSqlite,
  createPostgresRunStore,
  createSqliteRunStore,
  Prisma,
  type PrismaClient,
  type RunStore,
  toDatabaseError,
} from "@/prisma/client";
import { type DatabaseLocation, getDatabaseLocation } from "./env";

export { isDatabaseError, isTemporaryFault, type RunStore, retryPatiently, toDatabaseError } from "@/prisma/client";

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

/** Opens a database whose migrations have been applied. Its storage faults are those of this process. */
export const openDatabase = (location: DatabaseLocation): Promise<Db> =>
  location.type === "sqlite"
    ? connectSqlite(location.file, setStorageFault)
    : connectPostgres(location.url, setStorageFault);

/** Opens the store of runs in the same database. */
export const openRunStore = (location: DatabaseLocation): RunStore =>
  location.type === "sqlite"
    ? openSqliteRunStore(connectRunDatabase(location.file))
    : createPostgresRunStore(location.url, setStorageFault);

/** The store of runs on a connection of its own to an SQLite file. `patienceMs`: how long a write is repeated. */
export const openSqliteRunStore = (
  connection: ReturnType<typeof connectRunDatabase>,
  options: { patienceMs?: number } = {},
): RunStore => createSqliteRunStore(connection, setStorageFault, options);

/** For a transaction whose statements must all read the state of one moment: PostgreSQL would let each read the latest. */
export const oneState = { isolationLevel: "Serializable" } as const;

/** Most attempts of a transaction that others got in the way of. */
const mostAttempts = 5;

/** Runs a transaction that reads and writes the state of one moment; again, where another one got in its way. */
export async function inOneState<Result>(
  db: Db,
  work: (tx: Prisma.TransactionClient) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++)
    try {
      return await db.$transaction(work, oneState);
    } catch (error) {
      if (!isWriteConflict(error) || attempt === mostAttempts) throw error;
    }
}

/** Whether a transaction failed because another one got in its way: in a statement, or in its end. */
const isWriteConflict = (error: unknown): boolean =>
  error instanceof Error &&
  (("code" in error && error.code === "P2034") || error.message.includes("TransactionWriteConflict"));

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
  await db.$executeRawUnsafe(probes[getDatabaseLocation().type]);
  setStorageFault(null);
}

/** Writes of what is there: the first page of the file, and one row. */
const probes: Record<DatabaseLocation["type"], string> = {
  sqlite: "PRAGMA user_version = 0",
  postgresql: `UPDATE "_prisma_migrations" SET "applied_steps_count" = "applied_steps_count" WHERE "migration_name" = '0001_init'`,
};

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

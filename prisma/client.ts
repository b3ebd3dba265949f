import { PrismaClient } from "./generated/sqlite/client";
import { createPostgresAdapter } from "./postgres-adapter";
import { createSqliteAdapter, type FaultListener } from "./sqlite-adapter";
import { checkpointPages } from "./sqlite-run-store";

export {
  type DatabaseError,
  isDatabaseError,
  isTemporaryFault,
  retryWhileBusy,
  toDatabaseError,
} from "./database-error";
export type { PrismaClient } from "./generated/sqlite/client";
export { Prisma } from "./generated/sqlite/client";
export { createPool } from "./postgres-pool";
export { createPostgresRunStore } from "./postgres-run-store";
export { retryPatiently } from "./retry-patiently";
export type { Columns, RunStore, RunWrite } from "./run-store";
export { connectRunDatabase, createSqliteRunStore } from "./sqlite-run-store";

/** Longer than a lock of another program is waited for, so that this wait decides. */
export const transactionOptions = { maxWait: 60_000, timeout: 60_000 };

/** A client of a SQLite database, one writer, tuned as the migrations expect. `file`: a path or `:memory:`. */
export async function connectSqlite(file: string, onFault: FaultListener = () => {}): Promise<PrismaClient> {
  const client = new PrismaClient({ adapter: createSqliteAdapter(file, onFault), transactionOptions });
  await client.$executeRawUnsafe("PRAGMA synchronous = FULL");
  await client.$executeRawUnsafe("PRAGMA foreign_keys = ON");
  // As on the connection of the store of runs: whichever writes past the limit waits for the disk.
  await client.$queryRawUnsafe(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
  return client;
}

/**
 * A client of a PostgreSQL database that has been migrated, on a pool of connections; it connects with its first
 * statement, and again when the server comes back. `url`: `postgresql://…`
 */
export async function connectPostgres(url: string, onFault: FaultListener = () => {}): Promise<PrismaClient> {
  const postgres = await import("./generated/postgresql/client");
  const client = new postgres.PrismaClient({ adapter: createPostgresAdapter(url, onFault), transactionOptions });
  // Both clients come from one schema. Their types differ in what PostgreSQL offers beyond SQLite, which nothing may use.
  return client as unknown as PrismaClient;
}

import { PrismaClient } from "./generated/sqlite/client";
import { createSqliteAdapter, type FaultListener } from "./sqlite-adapter";

export { type DatabaseError, isDatabaseError, retryWhileBusy, toDatabaseError } from "./database-error";
export type { PrismaClient } from "./generated/sqlite/client";
export { Prisma } from "./generated/sqlite/client";
export type { Columns, RunStore, RunWrite } from "./run-store";
export { connectRunDatabase, createSqliteRunStore } from "./sqlite-run-store";

/** Longer than a lock of another program is waited for, so that this wait decides. */
const transactionOptions = { maxWait: 60_000, timeout: 60_000 };

/** A client of a SQLite database, one writer, tuned as the migrations expect. `file`: a path or `:memory:`. */
export async function connectSqlite(file: string, onFault: FaultListener = () => {}): Promise<PrismaClient> {
  const client = new PrismaClient({ adapter: createSqliteAdapter(file, onFault), transactionOptions });
  await client.$executeRawUnsafe("PRAGMA synchronous = NORMAL");
  await client.$executeRawUnsafe("PRAGMA foreign_keys = ON");
  return client;
}

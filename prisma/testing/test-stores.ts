import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import {
  connectPostgres,
  connectRunDatabase,
  connectSqlite,
  createPostgresRunStore,
  createSqliteRunStore,
  type DatabaseError,
  type PrismaClient,
  type RunStore,
} from "../client";
import { migrateSqlite, readMigrations } from "../migrate";
import { createMigratedDatabase, endConnections, performOnServer } from "./test-database";

export interface TestStore {
  /** The file of SQLite, the name of a database of PostgreSQL. */
  location: string;
  db: PrismaClient;
  store: RunStore;
  close(): Promise<void>;
}

/** Whether this file of tests is run on SQLite, not on PostgreSQL. */
export const isSqlite = !process.env.DATABASE_URL?.startsWith("postgresql:");

/** Makes the database that this file of tests is run on refuse writes. Returns what ends that. */
export async function makeReadOnly(db: PrismaClient): Promise<() => Promise<void>> {
  if (isSqlite) {
    await db.$queryRawUnsafe("PRAGMA query_only = ON");
    return async () => void (await db.$queryRawUnsafe("PRAGMA query_only = OFF"));
  }
  const name = new URL(process.env.DATABASE_URL ?? "").pathname.slice(1);
  const set = async (change: string): Promise<void> => {
    await performOnServer(`ALTER DATABASE "${name}" ${change}`);
    await endConnections({ name });
  };
  await set("SET default_transaction_read_only = on");
  return () => set("RESET default_transaction_read_only");
}

/** A new database of the kind that this file of tests is run on, with its store of runs. */
export const openTestStore = (onFault: (fault: DatabaseError | null) => void): Promise<TestStore> =>
  isSqlite ? openSqlite(onFault) : openPostgres(onFault);

async function openSqlite(onFault: (fault: DatabaseError | null) => void): Promise<TestStore> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-runs-"));
  const location = path.join(folder, "test.db");
  migrateSqlite(location, readMigrations(path.join(import.meta.dirname, "../migrations/sqlite")));
  const db = await connectSqlite(location);
  const store = createSqliteRunStore(connectRunDatabase(location), onFault);
  const close = async (): Promise<void> => {
    await store.close();
    await db.$disconnect();
    rmSync(folder, { recursive: true, force: true });
  };
  return { location, db, store, close };
}

async function openPostgres(onFault: (fault: DatabaseError | null) => void): Promise<TestStore> {
  const database = await createMigratedDatabase();
  const db = await connectPostgres(database.url);
  const store = createPostgresRunStore(database.url, onFault);
  const close = async (): Promise<void> => {
    await store.close();
    await db.$disconnect();
    await database.drop();
  };
  return { location: database.name, db, store, close };
}

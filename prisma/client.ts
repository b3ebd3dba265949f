import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import { PrismaClient } from "./generated/client";

export type { PrismaClient } from "./generated/client";
export { Prisma } from "./generated/client";

/** A client of a SQLite database, one writer, tuned as the migrations expect. `file`: a path or `:memory:`. */
export async function connectSqlite(file: string): Promise<PrismaClient> {
  const client = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: file }) });
  await client.$executeRawUnsafe("PRAGMA synchronous = NORMAL");
  await client.$executeRawUnsafe("PRAGMA foreign_keys = ON");
  await client.$queryRawUnsafe("PRAGMA busy_timeout = 5000");
  return client;
}

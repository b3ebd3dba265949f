import path from "node:path";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import type { SqlDriverAdapter } from "@prisma/driver-adapter-utils";
import Sqlite from "better-sqlite3";
import { readMigrations } from "@/prisma/migrate";
import { KeptStatements } from "./kept-statements";

/** The one database of this thread: in memory, with all tables of the product. Each simulation begins with the same rows. */
export class MemoryDatabase {
  readonly #tables: string[];
  /** Tables that have rows when a simulation begins. */
  #filledTables: string[] = [];

  private constructor(
    readonly driver: SqlDriverAdapter,
    /** The connection of the driver. */
    readonly connection: Sqlite.Database,
  ) {
    this.#tables = connection
      .prepare<[], { name: string }>(
        `SELECT "name" FROM sqlite_master WHERE "type" = 'table' AND "name" NOT LIKE 'sqlite_%'`,
      )
      .all()
      .map(({ name }) => name);
  }

  static async open(): Promise<MemoryDatabase> {
    const driver = await new PrismaBetterSqlite3({ url: ":memory:" }).connect();
    const migrations = readMigrations(path.join(import.meta.dirname, "../../../prisma/migrations/sqlite"));
    for (const { sql } of migrations) await driver.executeScript(sql);
    const connection: unknown = Reflect.get(driver, "client");
    if (!(connection instanceof Sqlite))
      throw new Error(
        "expected the driver for SQLite to keep its connection in `client`, found none: see its release notes",
      );
    Reflect.set(driver, "client", new KeptStatements(connection));
    return new MemoryDatabase(driver, connection);
  }

  /** Keeps the present rows as those with which every simulation begins. */
  keepRows(): void {
    for (const table of this.#tables) {
      if (!this.connection.prepare(`SELECT 1 FROM "${table}" LIMIT 1`).get()) continue;
      this.connection.exec(`CREATE TEMP TABLE "first_${table}" AS SELECT * FROM "${table}"`);
      this.#filledTables.push(table);
    }
  }

  /** Restores the rows with which every simulation begins. */
  reset(): void {
    if (this.connection.inTransaction) this.connection.exec("ROLLBACK");
    this.connection.exec("PRAGMA foreign_keys = OFF; BEGIN");
    for (const table of this.#tables) this.connection.exec(`DELETE FROM "${table}"`);
    for (const table of this.#filledTables)
      this.connection.exec(`INSERT INTO "${table}" SELECT * FROM temp."first_${table}"`);
    this.connection.exec("COMMIT; PRAGMA foreign_keys = ON");
  }
}

import Sqlite from "better-sqlite3";
import pg from "pg";
import { vi } from "vitest";
import { z } from "zod";
import { isSqlite } from "@/prisma/testing/test-stores";

/** A statement as it was sent to the database. */
interface Statement {
  text: string;
  /** None of SQLite, which plans without them. */
  values: readonly unknown[];
}

const querySchema = z.object({ text: z.string(), values: z.array(z.unknown()).optional() });

/** Records every statement that this process sends, by whichever connection, from now on. */
export class StatementLog {
  #statements: Statement[] = [];

  constructor() {
    if (isSqlite) this.#recordSqlite();
    else this.#recordPostgres();
  }

  /** Performs `work`. Returns what it sent, each text once. */
  async record(work: () => Promise<unknown>): Promise<Statement[]> {
    this.#statements = [];
    await work();
    return [...new Map(this.#statements.map((statement) => [statement.text, statement])).values()];
  }

  #recordSqlite(): void {
    const { prepare } = Sqlite.prototype;
    vi.spyOn(Sqlite.prototype, "prepare").mockImplementation(function (this: Sqlite.Database, text: string) {
      const statement = prepare.call(this, text);
      log(text);
      return statement;
    });
    const log = (text: string): void => void this.#statements.push({ text, values: [] });
  }

  #recordPostgres(): void {
    const query: (...values: unknown[]) => unknown = pg.Client.prototype.query;
    const log = (first: unknown, second: unknown): void => {
      const parsed = querySchema.safeParse(typeof first === "string" ? { text: first, values: second } : first);
      if (!parsed.success) return;
      const values = parsed.data.values ?? (Array.isArray(second) ? second : []);
      this.#statements.push({ text: parsed.data.text, values });
    };
    vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...values: unknown[]) {
      log(values[0], values[1]);
      return query.apply(this, values);
    });
  }
}

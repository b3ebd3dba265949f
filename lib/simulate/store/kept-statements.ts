import type Sqlite from "better-sqlite3";

/** A prepared statement as the driver of the ORM uses it: bound, then performed at once. */
class KeptStatement {
  readonly reader: boolean;
  #values: readonly unknown[] = [];
  #columns: readonly Sqlite.ColumnDefinition[] | null = null;

  constructor(private readonly statement: Sqlite.Statement<unknown[]>) {
    this.reader = statement.reader;
  }

  bind(values: readonly unknown[]): this {
    this.#values = values;
    return this;
  }

  run(): Sqlite.RunResult {
    return this.statement.run(...this.#values);
  }

  columns(): readonly Sqlite.ColumnDefinition[] {
    this.#columns ??= this.statement.columns();
    return this.#columns;
  }

  raw(): this {
    this.statement.raw();
    return this;
  }

  all(): unknown[] {
    return this.statement.all(...this.#values);
  }
}

/**
 * A connection that prepares each statement once. The driver of the ORM prepares every statement anew, which takes longer
 * than to perform it.
 */
export class KeptStatements {
  readonly #statements = new Map<string, KeptStatement>();

  constructor(private readonly connection: Sqlite.Database) {}

  prepare(sql: string): KeptStatement {
    const kept = this.#statements.get(sql) ?? new KeptStatement(this.connection.prepare(sql));
    this.#statements.set(sql, kept);
    return kept;
  }

  exec(sql: string): void {
    this.connection.exec(sql);
  }
}

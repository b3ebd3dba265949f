import { inject } from "vitest";
import { createTestDatabase, performOn, type TestDatabase } from "./postgres-server";

declare module "vitest" {
  interface ProvidedContext {
    /** A server on which every test file creates databases of its own. */
    postgresUrl: string;
    /** The database of it that those are copies of: migrated, and otherwise empty. */
    postgresTemplate: string;
  }
}

/** A database without tables on the server of this test run. */
export const createEmptyDatabase = (): Promise<TestDatabase> => createTestDatabase(inject("postgresUrl"));

/** A database of the present schema, without rows, on the server of this test run. */
export const createMigratedDatabase = (): Promise<TestDatabase> =>
  createTestDatabase(inject("postgresUrl"), inject("postgresTemplate"));

/** Performs statements as the superuser of the server, in no test's database. */
export const performOnServer = (...statements: readonly string[]): Promise<void> =>
  performOn(inject("postgresUrl"), ...statements);

/** Ends every connection to a database whose last statement begins like this, as an administrator or a restart does. */
export const endConnections = ({ name }: Pick<TestDatabase, "name">, statement = ""): Promise<void> =>
  performOnServer(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND query LIKE '${statement}%'`,
  );

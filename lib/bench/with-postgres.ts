import { PostgresServer } from "@/prisma/testing/postgres-server";
import { findPostgres } from "../../.config/find-postgres.mjs";

/** Does something with a PostgreSQL server that is started for it, where the programs for one are installed. */
export async function withPostgres(act: (url: string) => Promise<void> | void): Promise<void> {
  const postgres = findPostgres();
  if (postgres?.type !== "programs") return;
  const server = new PostgresServer(postgres.folder);
  await server.start();
  try {
    await act(server.url);
  } finally {
    await server.stop();
  }
}

import { Client } from "pg";
import { z } from "zod";
import { toPostgresError } from "../postgres-error";

/** How long a server may take to accept a connection, in milliseconds. */
const connectMs = 5_000;

/** Performs `work` on a connection of its own. A failure of the server becomes DatabaseError. */
export async function withPostgresClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    application_name: "swarmloom backup",
    connectionTimeoutMillis: connectMs,
  });
  // A lost connection rejects the statement under way; without a listener it would also end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    throw toPostgresError(error) ?? error;
  } finally {
    await client.end().catch(() => {});
  }
}

const versionSchema = z.tuple([z.object({ server_version_num: z.coerce.number() })]);

/** `150020` for 15.20. */
export async function readServerVersion(client: Client): Promise<number> {
  const { rows } = await client.query("SHOW server_version_num");
  return versionSchema.parse(rows)[0].server_version_num;
}

import { Pool, type PoolConfig } from "pg";

/**
 * Connections to a server, made when they are needed and replaced when they were lost. Waiting for a free one takes 30 s
 * at most.
 */
export function createPool(url: string, options: PoolConfig = {}): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: "swarmloom",
    connectionTimeoutMillis: 30_000,
    keepAlive: true,
    ...options,
  });
  // A connection that was lost while it was idle is replaced; without a listener it would end the process.
  pool.on("error", () => {});
  return pool;
}

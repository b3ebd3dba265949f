import "server-only";
import { toReason } from "./db";
import { getHealth } from "./health";

export interface Readiness {
  status: "ready" | "starting" | "failing" | "stopping";
  /** Why it is not ready, for people. */
  reason?: string;
}

/**
 * Whether this process may get requests now: its database is migrated, open and takes writes, its executor has started, and it
 * is not shutting down. Waits for no start.
 */
export async function getReadiness(): Promise<Readiness> {
  if (globalThis.swarmloomIsStopping) return { status: "stopping", reason: "The server is shutting down." };
  if (!globalThis.swarmloomServices) return describeStart(globalThis.swarmloomStartError);
  const { status, reason } = await getHealth();
  return status === "ok" ? { status: "ready" } : { status, ...(reason !== undefined && { reason }) };
}

const describeStart = (error: unknown): Readiness =>
  error === undefined
    ? { status: "starting", reason: "The database is being opened and brought up to date." }
    : { status: "failing", reason: toReason(error) };

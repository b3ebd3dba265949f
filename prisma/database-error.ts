import { isDriverAdapterError } from "@prisma/driver-adapter-utils";

/** Why a database does not do its work. */
export type DatabaseFault = "locked" | "full" | "read-only" | "unreachable" | "failing";

/** The database itself failed, whatever the statement was. The message is for people and names what to do. */
export class DatabaseError extends Error {
  override name = "DatabaseError";
  constructor(
    readonly fault: DatabaseFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** By name: a process may hold several bundles, each with a class of its own. */
export const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error && error.name === "DatabaseError" && "fault" in error;

/** Whether a database may do its work again later without a repair: by itself, or once an operator has made room. */
export const isTemporaryFault = (error: unknown): boolean => isDatabaseError(error) && error.fault !== "failing";

/** The result code of SQLite in an error of the driver, or of the adapter over it; "" in all others. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if (isDriverAdapterError(error)) return error.cause.originalCode ?? "";
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

/**
 * Whether another program holds the lock, so that the same statement may succeed later. A transaction that read before
 * another program wrote (`SQLITE_BUSY_SNAPSHOT`) never can.
 */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code !== "SQLITE_BUSY_SNAPSHOT" && /^SQLITE_(?:BUSY|PROTOCOL)/.test(code);
}

const faults: readonly [code: RegExp, fault: DatabaseFault, message: string][] = [
  [
    /^SQLITE_(?:BUSY|PROTOCOL)/,
    "locked",
    "The database is locked by another program. Close what has it open (a backup, a database browser), then try again.",
  ],
  [/^SQLITE_FULL/, "full", "The disk that holds the database is full. Free some space on it, then try again."],
  [
    /^SQLITE_(?:READONLY|PERM)/,
    "read-only",
    "The database cannot be written: its file or its disk is read-only. Make it writable, then try again.",
  ],
  [
    /^SQLITE_(?:IOERR|CANTOPEN|CORRUPT|NOTADB)/,
    "failing",
    "The database cannot be read or written. Check the disk and the data folder, then try again.",
  ],
];

/** The fault that an error is a sign of; null when the statement itself was wrong. */
export function toDatabaseError(error: unknown): DatabaseError | null {
  if (isDatabaseError(error)) return error;
  const code = codeOf(error);
  const matchingFault = faults.find(([pattern]) => pattern.test(code));
  if (!matchingFault) return null;
  const [, fault, message] = matchingFault;
  return new DatabaseError(fault, fault === "failing" ? `${message} (${code})` : message, { cause: error });
}

/** How long a locked database is tried again, and the waits between two attempts, in milliseconds. */
const patience = { total: 30_000, firstWait: 5, longestWait: 100 };

/** Repeats `attempt` while another program holds the lock, for 30 s at most. Between two attempts the event loop is free. */
export async function retryWhileBusy<T>(attempt: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + patience.total;
  for (let wait = patience.firstWait; ; wait = Math.min(2 * wait, patience.longestWait)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() + wait > deadline) throw error;
    }
    const jitter = wait * (0.5 + Math.random() / 2);
    await new Promise((resolve) => setTimeout(resolve, jitter));
  }
}

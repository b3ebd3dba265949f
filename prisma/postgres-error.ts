import { isDriverAdapterError } from "@prisma/driver-adapter-utils";
import { DatabaseError, type DatabaseFault, isDatabaseError } from "./database-error";

/** The SQLSTATE of the server or the code of the socket in an error of the driver, or of the adapter over it; "" in all others. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if (isDriverAdapterError(error)) return error.cause.originalCode ?? connectionKinds[error.cause.kind] ?? "";
  if ("code" in error && typeof error.code === "string") return error.code;
  return lostConnection.test(error.message) ? "ECONNRESET" : "";
}

/** Kinds of errors for which the adapter drops the code of the socket. */
const connectionKinds: Readonly<Partial<Record<string, string>>> = {
  DatabaseNotReachable: "ECONNREFUSED",
  ConnectionClosed: "ECONNRESET",
  SocketTimeout: "ETIMEDOUT",
  TlsConnectionError: "TLS",
};

/** The errors of the driver that have no code. */
const lostConnection =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|timeout expired)/;

const reconnects = "Swarmloom connects again by itself.";
const faults: readonly [code: RegExp, fault: DatabaseFault, message: string][] = [
  [
    /^(?:53100|53200)$/,
    "full",
    "The disk or the memory of the PostgreSQL server is full. Free some space on it, then try again.",
  ],
  [
    /^(?:25006|42501)$/,
    "read-only",
    "The database cannot be written: PostgreSQL is read-only, as a standby is, or the user of DATABASE_URL lacks the privilege. Make it writable, then try again.",
  ],
  [
    /^(?:28|3D)/,
    "unreachable",
    "PostgreSQL refused the user, the password or the name of the database in DATABASE_URL. Correct it, or create them on the server.",
  ],
  [/^53[34]/, "unreachable", `The PostgreSQL server has no free connection. Raise its max_connections. ${reconnects}`],
  [
    /^(?:08|57P0|E[A-Z_]+$)/,
    "unreachable",
    `The PostgreSQL server of DATABASE_URL cannot be reached. Check that it runs and accepts connections. ${reconnects}`,
  ],
  [
    /^TLS$|^ERR_(?:TLS|SSL)|CERT/,
    "unreachable",
    "No encrypted connection to the PostgreSQL server can be made. Check its certificate, and sslmode in DATABASE_URL.",
  ],
  [/^55P03$/, "locked", "The database is locked by another program. Wait until it has ended, then try again."],
  [
    /^(?:58|XX)/,
    "failing",
    "PostgreSQL cannot read or write the database. Check the log of the server, then try again.",
  ],
];

/**
 * The fault that an error of the driver or the adapter for PostgreSQL is a sign of; null when the statement itself was
 * wrong. The message contains nothing of the address of the database.
 */
export function toPostgresError(error: unknown): DatabaseError | null {
  if (isDatabaseError(error)) return error;
  const code = codeOf(error);
  const matchingFault = faults.find(([pattern]) => pattern.test(code));
  if (!matchingFault) return null;
  const [, fault, message] = matchingFault;
  return new DatabaseError(fault, `${message} (${code})`, { cause: error });
}

/** Whether PostgreSQL undid a statement or transaction because of another one: the same may succeed later. */
export const isConflict = (error: unknown): boolean => /^(?:40001|40P01)$/.test(codeOf(error));

const attempts = 5;

/** Repeats `attempt`, which must be one statement or one whole transaction, while it conflicts with others. */
export async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (tries >= attempts || !isConflict(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 2 ** tries * (5 + 5 * Math.random())));
  }
}

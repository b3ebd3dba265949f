import { type ChildProcess, execFile, spawn } from "node:child_process";
import os from "node:os";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { BackupError } from "./backup-error";

export type PostgresProgram = "pg_dump" | "pg_restore" | "psql";

/** A database, and where the programs of PostgreSQL are found: as the environment variable PATH has it. */
export interface PostgresAccess {
  url: string;
  searchPath: string | undefined;
}

/** What libpq knows of the parameters that the address of a database may have. It refuses all others. */
const knownParameters = new Set([
  ...["host", "port", "dbname", "user", "passfile", "connect_timeout", "client_encoding", "options"],
  ...["keepalives", "sslmode", "sslcert", "sslkey", "sslrootcert", "sslcrl", "target_session_attrs", "gssencmode"],
]);

/**
 * The address as libpq reads it, without the password, which other users would see in the list of processes, and the
 * environment that contains it instead. No other variable of this process is in it.
 */
export function toProgramCall({ url, searchPath }: PostgresAccess): { address: string; env: NodeJS.ProcessEnv } {
  const address = new URL(url);
  const password = decodeURIComponent(address.password) || (address.searchParams.get("password") ?? "");
  address.password = "";
  for (const [name, value] of [...address.searchParams]) {
    if (!knownParameters.has(name)) address.searchParams.delete(name);
    // The driver's own name for an encrypted connection without a check of the certificate.
    else if (name === "sslmode" && value === "no-verify") address.searchParams.set(name, "require");
  }
  return {
    address: address.href,
    env: {
      ...(searchPath !== undefined && { PATH: searchPath }),
      ...(password !== "" && { PGPASSWORD: password }),
      NODE_ENV: "production",
      HOME: os.homedir(),
      LC_ALL: "C",
      PGAPPNAME: "swarmloom backup",
      PGCONNECT_TIMEOUT: "10",
    },
  };
}

/**
 * Throws ProgramMissingError unless the program is there and at least as new as the server: an older pg_dump refuses to read it.
 * `serverVersion` is the number of PostgreSQL's `server_version_num`.
 */
export async function assertProgram(
  program: PostgresProgram,
  access: PostgresAccess,
  serverVersion: number,
): Promise<void> {
  const { env } = toProgramCall(access);
  const needed = Math.floor(serverVersion / 10_000);
  const output = await promisify(execFile)(program, ["--version"], { env }).then(
    ({ stdout }) => stdout,
    () => null,
  );
  const hint = `Install the client programs of PostgreSQL ${needed} or later (Debian: postgresql-client), and have their folder in PATH.`;
  if (output === null) throw new ProgramMissingError(`The program ${program} was not found. ${hint}`);
  const version = Number(/(\d+)(?:\.\d+|devel|beta\d+|rc\d+)/.exec(output)?.[1] ?? Number.NaN);
  if (version >= needed) return;
  throw new ProgramMissingError(
    `${program} is of version ${version || output.trim()}, older than the PostgreSQL server, which is ${needed}. ${hint}`,
  );
}

/** A program of PostgreSQL that is not there, or older than the server. */
export class ProgramMissingError extends BackupError {}

interface ProgramOptions {
  args: readonly string[];
  access: PostgresAccess;
  /** What the program's output is: a file's descriptor, or a stream that the caller reads. */
  stdout?: number | "pipe" | "ignore";
  stdin?: "pipe" | "ignore";
}

export interface RunningProgram {
  child: ChildProcess;
  /** Rejects with BackupError, whose message is the program's own, when it fails. */
  ended: Promise<void>;
}

/** Starts a program on the database. */
export function startProgram(
  program: PostgresProgram,
  { args, access, stdout = "ignore", stdin = "ignore" }: ProgramOptions,
): RunningProgram {
  const { env } = toProgramCall(access);
  const child = spawn(program, args, { env, stdio: [stdin, stdout, "pipe"] });
  const ended = endOf(program, child);
  // Whoever starts two programs waits for one after the other.
  ended.catch(() => {});
  return { child, ended };
}

/** Runs a program to its end. */
export const runProgram = (program: PostgresProgram, options: ProgramOptions): Promise<void> =>
  startProgram(program, options).ended;

async function endOf(program: PostgresProgram, child: ChildProcess): Promise<void> {
  const [errors, code] = await Promise.all([
    readEnd(child.stderr),
    new Promise<number | string>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (exitCode, signal) => resolve(exitCode ?? signal ?? "no code"));
    }),
  ]);
  if (code === 0) return;
  throw new BackupError(`${program} failed: ${errors.trim() || `it ended with ${code}`}`);
}

/** The last characters of a stream. */
async function readEnd(stream: Readable | null): Promise<string> {
  let text = "";
  for await (const chunk of stream ?? []) text = (text + String(chunk)).slice(-2_000);
  return text;
}

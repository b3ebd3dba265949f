import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";

/** PostgreSQL refuses to run as root: the user and group to start it as then, and the owner of its folder. */
function findUnprivilegedUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const readId = (option: string, user: string): number =>
    Number(execFileSync("id", [option, user], { stdio: "pipe" }));
  for (const user of ["postgres", "nobody"])
    try {
      return { uid: readId("-u", user), gid: readId("-g", user) };
    } catch {}
  throw new Error("PostgreSQL does not run as root, and there is neither a user postgres nor nobody");
}

/** Debian's program that lets the kernel end a process with its parent: a test run that is killed leaves no server. */
const setpriv = "/usr/bin/setpriv";

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

/** A PostgreSQL server on a loopback port, with a folder of its own that is removed when it stops. */
export class PostgresServer {
  url = "";
  #process: ChildProcess | undefined;
  #output = "";
  readonly #folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-postgres-"));
  readonly #data = path.join(this.#folder, "data");
  readonly #user = findUnprivilegedUser();
  #port = 0;

  constructor(private readonly programs: string) {}

  async start(): Promise<void> {
    process.once("exit", this.#removeAtExit);
    chmodSync(this.#folder, 0o700);
    if (this.#user) chownSync(this.#folder, this.#user.uid, this.#user.gid);
    this.#port = await findFreePort();
    const options = ["--username=test", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"];
    const program = path.join(this.programs, "initdb");
    execFileSync(program, ["-D", this.#data, ...options], { ...this.#user, stdio: "pipe", cwd: this.#folder });
    this.url = `postgresql://test@127.0.0.1:${this.#port}/postgres`;
    await this.launch();
  }

  /** Starts the server, after `start` or when it was killed. Resolves once it accepts connections. */
  async launch(): Promise<void> {
    const settings = { listen_addresses: "127.0.0.1", port: this.#port, unix_socket_directories: this.#folder };
    // What was committed outlives the end of the server, but not that of the machine.
    const speed = { fsync: "off", full_page_writes: "off", max_connections: 200 };
    const options = Object.entries({ ...settings, ...speed }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const command = [path.join(this.programs, "postgres"), "-D", this.#data, ...options];
    const [program = "", ...args] = existsSync(setpriv) ? [setpriv, "--pdeathsig", "INT", ...command] : command;
    const child = spawn(program, args, {
      ...this.#user,
      cwd: this.#folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        this.#output = (this.#output + chunk.toString()).slice(-10_000);
      });
    this.#process = child;
    for (const deadline = Date.now() + 30_000; ; await sleep(20)) {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`PostgreSQL did not start: ${this.#output}`);
      const client = new Client({ connectionString: this.url });
      const isUp = await client.connect().then(
        () => true,
        () => false,
      );
      await client.end().catch(() => {});
      if (isUp) return;
    }
  }

  /** Sends a signal: SIGINT ends it in order, SIGQUIT as a crash would. Resolves once it has ended. */
  async kill(signal: "SIGINT" | "SIGQUIT"): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill("SIGINT");
    process.off("exit", this.#removeAtExit);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** A test run that ends early leaves no server. */
  readonly #removeAtExit = (): void => {
    this.#process?.kill("SIGQUIT");
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** Performs statements on a server, as its superuser. */
export async function performOn(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A database that one test, or one file of tests, has for itself. */
export interface TestDatabase {
  name: string;
  url: string;
  drop(): Promise<void>;
}

/** Creates a database on a server: a copy of `template`, which may have no connections. */
export async function createTestDatabase(serverUrl: string, template = "template0"): Promise<TestDatabase> {
  const name = `swarmloom_test_${randomUUID().replaceAll("-", "")}`;
  await performOn(serverUrl, `CREATE DATABASE "${name}" TEMPLATE "${template}"`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { name, url: url.href, drop: () => performOn(serverUrl, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`) };
}

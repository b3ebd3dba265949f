import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { build } from "esbuild";

/** As short as the timers of a busy machine allow, so that a take-over does not take long. */
const [leaseMs, heartbeatMs] = [300, 60];
const root = path.join(import.meta.dirname, "../../..");

/** Writes the program of executor processes as one file: it loads in a fraction of the time. Resolves to its path. */
export async function buildExecutor(): Promise<string> {
  const outfile = path.join(root, "lib/bench/dist", `executor-process-${process.pid}.mjs`);
  await build({
    entryPoints: [path.join(import.meta.dirname, "executor-process.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    alias: { "server-only": path.join(root, "node_modules/server-only/empty.js") },
    logLevel: "error",
  });
  return outfile;
}

/** A child process with an executor. */
export class ExecutorChild {
  readonly #process: ChildProcess;
  readonly #ready: Promise<void>;
  readonly #wrote: Promise<void>;
  readonly #exited: Promise<void>;

  /** Loads `program` at once; it inherits the environment, and so the database. `origin`: of the `OutsideServer`. */
  constructor(program: string, origin: string) {
    const args = [program, origin, String(leaseMs), String(heartbeatMs)];
    const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "ignore", "inherit", "ipc"] });
    const received = (name: string) =>
      new Promise<void>((resolve) => child.on("message", (message) => message === name && resolve()));
    this.#ready = received("ready");
    this.#wrote = received("wrote");
    this.#exited = new Promise((resolve) => child.once("exit", () => resolve()));
    this.#process = child;
  }

  /** Begins to take runs, as soon as its modules are loaded. */
  async startExecutor(): Promise<void> {
    await Promise.race([this.#ready, this.#exited]);
    if (!this.isAlive) throw new Error("an executor process ended before it was ready");
    this.#process.send("start");
  }

  get isAlive(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Resolves when it has stored something. */
  firstWrite(): Promise<void> {
    return this.#wrote;
  }

  freeze(): void {
    this.#process.kill("SIGSTOP");
  }

  thaw(): void {
    this.#process.kill("SIGCONT");
  }

  /** Ends it at once, without any notice to it. */
  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#exited;
  }
}

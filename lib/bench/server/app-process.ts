import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const command = path.join(import.meta.dirname, "../../cli/swarmloom.mjs");

/** A server or a worker, started as a user starts it. */
export class AppProcess {
  readonly #process: ChildProcess;
  #output = "";

  /** `preload`: a module that is loaded into the process first. It can answer what `ask` sends. */
  constructor(name: "start" | "worker", env: Record<string, string>, { preload }: { preload?: string } = {}) {
    const options = preload === undefined ? [] : ["--import", pathToFileURL(preload).href];
    this.#process = spawn(process.execPath, [...options, command, name], {
      env: { ...process.env, NODE_ENV: "production", ...env },
      stdio: ["ignore", "pipe", "pipe", ...(preload === undefined ? [] : ["ipc" as const])],
    });
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.on("data", (chunk: Buffer) => {
        this.#output = (this.#output + chunk.toString()).slice(-20_000);
      });
  }

  get isAlive(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  async waitFor(text: string): Promise<void> {
    await this.#until(() => (this.#output.includes(text) ? text : undefined));
  }

  /** What the first group of a pattern matches in the output, as soon as it does. */
  find(pattern: RegExp): Promise<string> {
    return this.#until(() => pattern.exec(this.#output)?.[1]);
  }

  async #until(look: () => string | undefined): Promise<string> {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      if (this.#process.exitCode !== null) throw new Error(`the process ended: ${this.#output}`);
      await sleep(5);
    }
  }

  /** The answer of the preloaded module to a message. */
  async ask(message: string): Promise<unknown> {
    const answer = once(this.#process, "message");
    this.#process.send(message);
    const [value] = await answer;
    return value;
  }

  async end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill(signal);
    await ended;
  }
}

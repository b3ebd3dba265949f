import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const command = path.join(import.meta.dirname, "../../cli/swarmloom.mjs");

/** A server or a worker, started as a user starts it. */
export class AppProcess {
  readonly #process: ChildProcess;
  #output = "";

  constructor(name: "start" | "worker", env: Record<string, string>) {
    this.#process = spawn(process.execPath, [command, name], {
      env: { ...process.env, NODE_ENV: "production", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.on("data", (chunk: Buffer) => {
        this.#output = (this.#output + chunk.toString()).slice(-20_000);
      });
  }

  async waitFor(text: string): Promise<void> {
    while (!this.#output.includes(text)) {
      if (this.#process.exitCode !== null) throw new Error(`the process ended: ${this.#output}`);
      await sleep(5);
    }
  }

  async end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill(signal);
    await ended;
  }
}

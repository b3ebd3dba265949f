import "server-only";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Tool, ToolContext } from "@/lib/core/run/ports/tool";

/** A temporary folder with a workspace in it, and a secret beside the workspace. */
export class TestFolder {
  readonly outside = realpathSync(mkdtempSync(path.join(os.tmpdir(), "swarmloom-files-")));
  readonly root = path.join(this.outside, "workspace");
  readonly secret = path.join(this.outside, "secret.txt");

  constructor(files: Readonly<Record<string, string | Buffer>> = {}) {
    mkdirSync(this.root);
    writeFileSync(this.secret, "secret");
    for (const [name, content] of Object.entries(files)) this.write(name, content);
  }

  at(name: string): string {
    return path.join(this.root, name);
  }

  write(name: string, content: string | Buffer): void {
    mkdirSync(path.dirname(this.at(name)), { recursive: true });
    writeFileSync(this.at(name), content);
  }

  read(name: string): string {
    return readFileSync(this.at(name), "utf8");
  }

  /** Every file of the workspace but git's own, with its text; nothing else may be left lying about. */
  all(): Record<string, string> {
    const names = readdirSync(this.root, { recursive: true, encoding: "utf8" }).filter(
      (name) => !name.startsWith(".git") && statSync(this.at(name)).isFile(),
    );
    return Object.fromEntries(names.sort().map((name) => [name.split(path.sep).join("/"), this.read(name)]));
  }

  context(signal = new AbortController().signal): ToolContext {
    return { signal, now: Date.now, idempotencyKey: "run:path", workspace: this.root };
  }

  async call<T>(tool: Tool<T>, given: object, signal?: AbortSignal): Promise<unknown> {
    return tool.execute(tool.input.parse(given), this.context(signal));
  }

  remove(): void {
    rmSync(this.outside, { recursive: true, force: true });
  }
}

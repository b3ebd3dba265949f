import "server-only";
import { appendFileSync, chmodSync, mkdirSync, renameSync, statSync } from "node:fs";
import path from "node:path";

export interface RotatingFileOptions {
  folder: string;
  /** `name.log` is the file being written, `name.1.log` the one before it, and so on. */
  name: string;
  maxBytes: number;
  /** How many files there are at most, the one being written included. */
  maxFiles: number;
}

/**
 * A log on disk that takes `maxBytes * maxFiles` at most and that only this user reads. Written synchronously, so that
 * the last line before a crash is there. Never throws: a full or read-only disk costs lines, not the server.
 */
export class RotatingFile {
  constructor(private readonly options: RotatingFileOptions) {
    try {
      mkdirSync(options.folder, { recursive: true, mode: 0o700 });
      chmodSync(options.folder, 0o700);
    } catch {
      // The lines that cannot be written are lost; they are on the terminal as well.
    }
  }

  append(text: string): void {
    try {
      const size = statSync(this.#pathOf(0), { throwIfNoEntry: false })?.size ?? 0;
      if (size > 0 && size + Buffer.byteLength(text) > this.options.maxBytes) this.#rotate();
      appendFileSync(this.#pathOf(0), text, { mode: 0o600 });
    } catch {
      // As above.
    }
  }

  #rotate(): void {
    for (let age = this.options.maxFiles - 1; age > 0; age--)
      if (statSync(this.#pathOf(age - 1), { throwIfNoEntry: false }))
        renameSync(this.#pathOf(age - 1), this.#pathOf(age));
  }

  #pathOf(age: number): string {
    const { folder, name } = this.options;
    return path.join(/* turbopackIgnore: true */ folder, age === 0 ? `${name}.log` : `${name}.${age}.log`);
  }
}

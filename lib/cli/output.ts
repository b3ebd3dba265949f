import { once } from "node:events";
import { replaceHidden, showHidden } from "@/lib/core/flow/hidden-characters";

const reader = new AbortController();

/** Aborts when the reader of standard output closes it, as `head` does. A command that prints as it works ends then. */
export const readerGone: AbortSignal = reader.signal;

/** Drops what is written once the reader is gone. The command goes on, so that its exit code is as with a reader. */
export function dropUnreadOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    reader.abort();
  });
}

/** Writes a line to standard output and waits while its reader is slower. */
export const writeLine = (text: string): Promise<void> => writeText(`${text}\n`);

/** Writes a text that ends its last line itself. A program gets it as it is; a terminal is never steered by it. */
export const writeText = (text: string): Promise<void> => write(process.stdout.isTTY ? showHidden(text) : text);

/** Writes a value as one line of JSON; what a terminal could obey is escaped there, which is the same value. */
export function writeJson(value: unknown): Promise<void> {
  const text = JSON.stringify(value);
  return write(`${process.stdout.isTTY ? replaceHidden(text, toEscapes) : text}\n`);
}

const toEscapes = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");

async function write(text: string): Promise<void> {
  if (readerGone.aborted || process.stdout.write(text)) return;
  try {
    await once(process.stdout, "drain");
  } catch (error) {
    if (!readerGone.aborted) throw error;
  }
}

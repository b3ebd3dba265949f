import { once } from "node:events";
import { replaceHidden, showHidden } from "@/lib/core/flow/hidden-characters";

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
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

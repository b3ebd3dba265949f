import { once } from "node:events";

/** Writes a line to standard output and waits while its reader is slower. */
export async function writeLine(text: string): Promise<void> {
  if (!process.stdout.write(`${text}\n`)) await once(process.stdout, "drain");
}

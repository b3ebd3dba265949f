import { once } from "node:events";

/** Writes a line to standard output and waits while its reader is slower. */
export const writeLine = (text: string): Promise<void> => writeText(`${text}\n`);

/** Writes a text that ends its last line itself. */
export async function writeText(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

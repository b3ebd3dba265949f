import { writeFileSync } from "node:fs";
import { formatSource } from "@/lib/core/source/yaml/format-source";
import { readTextFile } from "../files";
import { writeText } from "../output";
import { printable } from "./report";

/** `fmt FILE`: prints a flow file in the usual form, or with `write` puts it in its place. */
export async function runFmt(file: string, options: { write?: boolean }): Promise<number> {
  const text = readTextFile(file);
  const result = formatSource(text);
  if (!result.ok) {
    console.error(printable(`${file}: ${result.message}`));
    return 1;
  }
  if (!options.write) await writeText(result.text);
  else if (result.text !== text) writeFileSync(file, result.text);
  return 0;
}

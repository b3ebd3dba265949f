import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { withoutByteOrderMark } from "@/lib/core/source/yaml/byte-order-mark";
import { UsageError } from "./usage-error";

/** The text of a UTF-8 file. @throws UsageError when it cannot be read. */
export function readTextFile(file: string): string {
  try {
    return withoutByteOrderMark(readFileSync(file, "utf8"));
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? reasons.get(String(error.code)) : undefined;
    throw new UsageError(`${file} cannot be read: ${reason ?? String(error)}`);
  }
}

const reasons = new Map([
  ["ENOENT", "there is no such file."],
  ["EISDIR", "it is a folder; expected a file."],
  ["EACCES", "it is not allowed."],
]);

/** All of standard input. */
export const readStdin = (): Promise<string> => text(process.stdin);

/** The text of a file; `-` is standard input. @throws UsageError when it cannot be read. */
export const readTextOf = async (file: string): Promise<string> =>
  file === "-" ? withoutByteOrderMark(await readStdin()) : readTextFile(file);

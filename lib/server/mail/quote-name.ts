import "server-only";
import { cutName, toDisplayName } from "@/lib/core/flow/list/display-name";

const maxNameLength = 60;

/** A name in quotation marks, as a mail has it: on one line, short, and without what reads as a link or an address. */
export function quoteName(name: string): string {
  const line = toDisplayName(name)
    .replace(/[“”"<>]/g, "'")
    .replace(/:\/\//g, " ")
    .replace(/[.@](?=\S)/g, "$& ")
    .replace(/\s+/g, " ")
    .trim();
  return `“${Array.from(line).length > maxNameLength ? `${cutName(line, maxNameLength - 1)}…` : line}”`;
}

import { printable } from "./report";

/** `12.3 MB, 14 flows, 230 runs`. */
export const describeContents = ({ bytes, flows, runs }: { bytes: number; flows: number; runs: number }): string =>
  `${(bytes / 1_000_000).toFixed(1)} MB, ${toCount(flows, "flow")}, ${toCount(runs, "run")}`;

export const toCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Prints the error of a backup, a restore or the database and returns exit code 1. By its name: only the commands load its module. Throws all others. */
export function reportBackupError(error: unknown): number {
  if (!(error instanceof Error && ["BackupError", "DatabaseError"].includes(error.name))) throw error;
  console.error(`error: ${printable(error.message)}`);
  return 1;
}

/** A copy or a replacement of a database that was refused or failed. The message is for people: what was expected, what was found, what to do. */
export class BackupError extends Error {
  override name = "BackupError";
}

/** The code of an error of the driver or of the file system; "" where it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

const isFull = (code: string): boolean => /^(?:SQLITE_FULL|ENOSPC|EDQUOT)/.test(code);

/** Why the file could not be written, and what to do about it. */
export function toWriteError(error: unknown, file: string): Error {
  if (error instanceof BackupError) return error;
  const code = codeOf(error);
  if (code.startsWith("SQLITE_CORRUPT"))
    return new BackupError(
      "The database is damaged: it could not be read as a whole. Restore a backup, or recover it with the program sqlite3 (.recover).",
      { cause: error },
    );
  if (isFull(code))
    return new BackupError(`${file} could not be written: its disk is full. Free some space on it, then try again.`, {
      cause: error,
    });
  if (code === "") return error instanceof Error ? error : new Error(String(error));
  return new BackupError(
    `${file} could not be written (${code}). Check that its folder exists and that this user may write there, then try again.`,
    { cause: error },
  );
}

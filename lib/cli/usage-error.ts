/** The command was called in a wrong way; ends with exit code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** A terminal that is gone, or a full disk to which output was redirected, must not end a server. */
export function ignoreOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners("error");
    stream.on("error", () => undefined);
  }
}

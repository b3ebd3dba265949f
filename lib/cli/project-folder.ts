import { fileURLToPath } from "node:url";

/** Makes the folder in which the server is installed the current one: its data folder and its settings are relative to it. */
export function enterProjectFolder(): void {
  process.chdir(fileURLToPath(new URL("../..", import.meta.url)));
}

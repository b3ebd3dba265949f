import { spawn } from "node:child_process";
import { once } from "node:events";

const script = `
const database = new (require("better-sqlite3"))(process.argv[1]);
database.exec("BEGIN EXCLUSIVE");
process.stdout.write("locked");
process.stdin.on("end", () => { database.exec("COMMIT"); database.close(); }).resume();
`;

/** Locks a SQLite database for writing from a process of its own, as a backup tool does. Resolves with what unlocks it. */
export async function lockDatabase(file: string): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, ["-e", script, file], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), exited]);
  if (child.exitCode !== null) throw new Error(`the database ${file} could not be locked`);
  return async () => {
    child.stdin.end();
    await exited;
  };
}

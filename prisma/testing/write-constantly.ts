import { spawn } from "node:child_process";
import { once } from "node:events";

const script = `
const database = new (require("better-sqlite3"))(process.argv[1], { timeout: 30000 });
database.pragma("synchronous = FULL");
const insert = database.prepare(
  \`INSERT INTO "Flow" ("id", "teamId", "name", "outline", "agents", "errors", "createdAt", "updatedAt")
   VALUES (?, 'local', ?, '', 0, 0, '2026-01-01', '2026-01-01')\`
);
const insertPair = database.transaction((number) => {
  insert.run("left-" + number, "x".repeat(2000));
  insert.run("right-" + number, "x".repeat(2000));
});
let number = 0;
process.stdin.on("end", () => { database.close(); process.exit(); }).resume();
(function write() {
  insertPair(number++);
  if (number === 20) process.stdout.write("writing");
  setImmediate(write);
})();
`;

/** Writes pairs of flows, `left-N` and `right-N`, each pair in one transaction, from a process of its own. Resolves with what ends it. */
export async function writeConstantly(file: string): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, ["-e", script, file], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), exited]);
  if (child.exitCode !== null) throw new Error(`the database ${file} could not be written`);
  return async () => {
    child.stdin.end();
    await exited;
  };
}

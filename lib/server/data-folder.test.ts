import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

let root = "";
let folder = "";
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "swarmloom-data-"));
  folder = path.join(root, "data");
  vi.stubEnv("SWARMLOOM_DATA", folder);
  vi.stubEnv("DATABASE_URL", "");
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

const modeOf = (name: string): string => (statSync(path.join(root, name)).mode & 0o777).toString(8);
function write(name: string, mode: number): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), "");
  chmodSync(path.join(root, name), mode);
}
async function protect(): Promise<void> {
  const { getDatabaseFile } = await import("./env");
  const { protectData } = await import("./data-folder");
  protectData(getDatabaseFile());
}

test("a new data folder and its database are this user's alone", async () => {
  await protect();
  expect([modeOf("data"), modeOf("data/swarmloom.db")]).toEqual(["700", "600"]);
});

test("an existing installation is tightened: database and its files, backups, logs; nothing that is not ours", async () => {
  const ours = [
    "swarmloom.db",
    "swarmloom.db-wal",
    "swarmloom.db-shm",
    "swarmloom.db.bak",
    "logs/a.log",
    "backups/1.db",
  ];
  for (const name of ours) write(`data/${name}`, 0o644);
  write("data/notes.txt", 0o644);
  write("data/swarmloom.dbx", 0o644);
  for (const name of ["data", "data/logs", "data/backups"]) chmodSync(path.join(root, name), 0o755);
  await protect();
  expect(ours.map((name) => modeOf(`data/${name}`))).toEqual(ours.map(() => "600"));
  expect(["data", "data/logs", "data/backups"].map(modeOf)).toEqual(["700", "700", "700"]);
  expect([modeOf("data/notes.txt"), modeOf("data/swarmloom.dbx")]).toEqual(["644", "644"]);
});

test("a database elsewhere is tightened, the folder that it is in is not", async () => {
  write("shared/flows.db", 0o664);
  write("shared/flows.db-wal", 0o664);
  chmodSync(path.join(root, "shared"), 0o755);
  vi.stubEnv("DATABASE_URL", `file:${path.join(root, "shared/flows.db")}`);
  await protect();
  expect([modeOf("shared/flows.db"), modeOf("shared/flows.db-wal"), modeOf("shared")]).toEqual(["600", "600", "755"]);
});

test("a folder for everyone, as /tmp is, stays as it is", async () => {
  mkdirSync(folder);
  chmodSync(folder, 0o1777);
  await protect();
  expect(modeOf("data")).toBe("777");
  expect(existsSync(path.join(folder, "swarmloom.db"))).toBe(true);
});

test("opening the database tightens it, and the files that SQLite writes beside it", async () => {
  write("data/swarmloom.db", 0o644);
  const { startServices } = await import("./start");
  const db = await startServices();
  await db.$queryRawUnsafe("SELECT 1");
  expect([modeOf("data/swarmloom.db"), modeOf("data/swarmloom.db-wal"), modeOf("data/swarmloom.db-shm")]).toEqual([
    "600",
    "600",
    "600",
  ]);
  const { getExecutor } = await import("./runs/drive/executor");
  getExecutor().stop();
  await db.$disconnect();
});

import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { localViewer } from "@/lib/server/auth/viewer";
import { saveConnection } from "@/lib/server/connections/commands";
import { getDatabaseFile, getDataFolder } from "@/lib/server/env";
import { createFlow } from "@/lib/server/flows/commands";
import { startServices } from "@/lib/server/start";
import { callCommand } from "../testing/call-command";

const projectFolder = process.cwd();
let folder = "";
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-backup-command-"));
  await startServices();
  await createFlow(localViewer, { source: "agents: { a: { model: demo:x } }\nswarm: { flow: a }\n" });
  await saveConnection(localViewer, "openai", { key: "sk-secret-of-a-user-123" });
});
afterAll(() => {
  process.chdir(projectFolder);
  rmSync(folder, { recursive: true });
});

/** Calls a command from a folder that is not the project's. */
function swarmloom(...args: string[]) {
  process.chdir(folder);
  return callCommand(...args);
}

it("backs up a database in use, names the secret that is not in the backup, and restores it once the server has stopped", async () => {
  const secret = path.join(getDataFolder(), "secret");
  const backup = await swarmloom("backup", "b.db");
  expect([backup.stderr, backup.code]).toEqual(["", 0]);
  expect(backup.stdout).toMatch(/^Backup written and checked: \/.+\/b\.db \(0\.\d MB, 2 flows, 0 runs\)\.$/m);
  expect(backup.stdout).toContain("1 API key (openai), sealed; the secret that opens them is NOT in it");
  expect(backup.stdout).toContain(`Keep a copy of ${secret} apart from the backup.`);
  const bytes = readFileSync(path.join(folder, "b.db"), "latin1");
  expect(bytes).not.toContain(readFileSync(secret, "utf8").trim());
  expect(bytes).not.toContain("sk-secret-of-a-user-123");

  const again = await swarmloom("backup", "b.db");
  expect([again.stderr, again.code]).toEqual([
    "error: b.db exists. Name another file, or replace it with --force.\n",
    2,
  ]);
  expect((await swarmloom("backup", "b.db", "--force")).code).toBe(0);

  const early = await swarmloom("restore", "b.db");
  expect([early.stderr, early.code]).toEqual([
    expect.stringMatching(/^error: The database .+ is in use\. Stop the/),
    1,
  ]);
  const { getExecutor } = await import("@/lib/server/runs/drive/executor");
  getExecutor().stop();
  await globalThis.swarmloomServices?.closeDatabase();
  const restored = await swarmloom("restore", "b.db");
  expect([restored.stderr, restored.code]).toEqual(["", 0]);
  expect(restored.stdout).toMatch(/^Restored to .+ \(0\.\d MB, 2 flows, 0 runs\)\.\nThe database before is in .+\n$/);
  expect(statSync(getDatabaseFile()).mode & 0o777).toBe(0o600);
});

it("warns when the secret that sealed the keys is not there, makes none, and accepts the moved one", async () => {
  const secret = path.join(getDataFolder(), "secret");
  renameSync(secret, path.join(folder, "secret"));
  const without = await swarmloom("restore", "b.db");
  expect(without.stderr).toMatch(/^warning: the keys of openai were sealed with a secret that is not here\./);
  expect([without.code, statSync(secret, { throwIfNoEntry: false })]).toEqual([0, undefined]);
  renameSync(path.join(folder, "secret"), secret);
  expect((await swarmloom("restore", "b.db")).stderr).toBe("");
});

it("ends with 2 for files that cannot be meant, and with 1 for one that is no backup", async () => {
  expect(await swarmloom("restore", "absent.db")).toMatchObject({
    stderr: expect.stringMatching(/^error: There is no file absent\.db\./),
    code: 2,
  });
  expect((await swarmloom("restore")).code).toBe(2);
  expect(await swarmloom("backup", "no/folder/b.db")).toMatchObject({
    stderr: expect.stringMatching(/^error: There is no folder .+no\/folder\./),
    code: 2,
  });
  expect((await swarmloom("backup", ".")).code).toBe(2);
  writeFileSync(path.join(folder, "notes.txt"), "notes");
  chmodSync(path.join(folder, "notes.txt"), 0o400);
  const { stderr, code } = await swarmloom("restore", "notes.txt");
  expect([stderr, code]).toEqual([expect.stringMatching(/^error: .+notes\.txt is not a SQLite database\./), 1]);
});

import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { localViewer } from "@/lib/server/auth/viewer";
import { saveConnection } from "@/lib/server/connections/commands";
import { createFlow } from "@/lib/server/flows/commands";
import { startServices } from "@/lib/server/start";
import { endConnections } from "@/prisma/testing/test-database";
import { callCommand } from "../testing/call-command";

const projectFolder = process.cwd();
let folder = "";
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-dump-command-"));
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

it("backs up a PostgreSQL database in use, and restores it once the server has stopped", async () => {
  const backup = await swarmloom("backup", "b.dump");
  expect([backup.stderr, backup.code]).toEqual(["", 0]);
  expect(backup.stdout).toMatch(/^Backup written and checked: \/.+\/b\.dump \(0\.\d MB, 2 flows, 0 runs\)\.$/m);
  expect(backup.stdout).toContain("1 API key (openai), sealed; the secret that opens them is NOT in it");
  const file = path.join(folder, "b.dump");
  expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
  expect(readFileSync(file, "latin1")).not.toContain("sk-secret-of-a-user-123");
  expect((await swarmloom("backup", "b.dump")).code).toBe(2);

  const early = await swarmloom("restore", "b.dump");
  expect([early.code, early.stderr]).toEqual([
    1,
    expect.stringMatching(/^error: The PostgreSQL database is in use \(/),
  ]);
  const { getExecutor } = await import("@/lib/server/runs/drive/executor");
  getExecutor().stop();
  await globalThis.swarmloomServices?.endRuns();
  await globalThis.swarmloomServices?.closeDatabase();
  // Unlike a process that has ended, this one may make another connection for its housekeeping at any time.
  const restored = await vi.waitFor(
    async () => {
      await endConnections({ name: new URL(process.env.DATABASE_URL ?? "").pathname.slice(1) });
      const answer = await swarmloom("restore", "b.dump");
      expect([answer.stderr, answer.code]).toEqual(["", 0]);
      return answer;
    },
    { timeout: 30_000, interval: 500 },
  );
  expect(restored.stdout).toMatch(
    /^Restored to 127\.0\.0\.1:\d+\/swarmloom_test_\w+ \(0\.\d MB, 2 flows, 0 runs\)\.\nThe tables before are in the schema (before_restore_\w+); .*DROP SCHEMA \1 CASCADE\n$/,
  );
});

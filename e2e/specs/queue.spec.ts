import { spawn } from "node:child_process";
import path from "node:path";
import { findPostgres } from "../../.config/find-postgres.mjs";
import { PostgresServer } from "../../prisma/testing/postgres-server";
import { AppServer } from "../fixtures/app-server";
import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";

const installation = findPostgres();
const programs = installation?.type === "programs" ? installation.folder : "";

test("without workers the settings say who drives the runs", async ({ page }) => {
  await page.goto("/settings/runs#queue");
  const queue = page.getByRole("region", { name: "Queue" });
  await expect(queue).toContainText("this server drives the runs itself");
  await expect(queue).toContainText("Runs that the server gave up");
  await expectAccessible(page);
});

test("a worker appears in the settings, and is gone when it stops", async ({ page }) => {
  test.skip(programs === "", "PostgreSQL is not installed");
  test.setTimeout(90_000);
  const postgres = new PostgresServer(programs);
  await postgres.start();
  const app = new AppServer({ DATABASE_URL: postgres.url, SWARMLOOM_SECRET: "a secret of this test" });
  await app.start();
  const worker = spawn(process.execPath, [path.resolve("lib/cli/swarmloom.mjs"), "worker"], {
    env: { ...process.env, NODE_ENV: "production", DATABASE_URL: postgres.url, SWARMLOOM_DATA: app.dataFolder },
    stdio: "ignore",
  });
  try {
    await page.goto(`${app.url}/settings/runs#queue`);
    const queue = page.getByRole("region", { name: "Queue" });
    await expect(queue.getByRole("listitem").filter({ hasText: `${worker.pid}` })).toContainText("16 runs at a time", {
      timeout: 20_000,
    });
    await expectAccessible(page);
    worker.kill("SIGTERM");
    await expect(queue).toContainText("this server drives the runs itself", { timeout: 20_000 });
  } finally {
    worker.kill("SIGKILL");
    await app.stop();
    await postgres.stop();
  }
});

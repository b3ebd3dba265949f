import { once } from "node:events";
import { mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { findPostgres } from "../../.config/find-postgres.mjs";
import { PostgresServer } from "../../prisma/testing/postgres-server";
import { Api } from "../fixtures/api";
import { findFreePort } from "../fixtures/app-server";
import { PackedInstallation, stopProcess, waitForOutput } from "../fixtures/packed-installation";
import { expect, test } from "../fixtures/test";

test.describe.configure({ mode: "serial", timeout: 180_000 });

const flow = `agents:\n  first: { model: "demo:researcher" }\nswarm: { type: workflow, flow: first }\n`;
const upToDate = { stdout: "The database is up to date.\n", stderr: "", code: 0 };

let packed: PackedInstallation;
test.beforeAll(() => {
  packed = new PackedInstallation();
});
test.afterAll(() => packed.remove());

/** The environment of a container with a volume of its own. */
async function makeEnv(name: string): Promise<Record<"PORT" | "SWARMLOOM_DATA" | "SWARMLOOM_DEMO_SPEED", string>> {
  const data = path.join(packed.folder, "..", name);
  mkdirSync(data);
  return { PORT: String(await findFreePort()), SWARMLOOM_DATA: data, SWARMLOOM_DEMO_SPEED: "0" };
}

test("the image has neither sources nor compilers, and leaves 230 of 400 MB to its base", () => {
  expect(packed.megabytes).toBeLessThan(160);
  const unwanted =
    /^(?:app\/(?!docs\/_content\/)|e2e\/|lib\/(?:core|server)\/)|^node_modules\/(?:typescript|tsx|esbuild|sharp)\/|\.map$/;
  expect(packed.listFiles().filter((file) => unwanted.test(file))).toEqual([]);
});

test("it serves, is healthy, and backs up and restores a SQLite database", async ({ page }) => {
  const env = await makeEnv("sqlite");
  const url = `http://127.0.0.1:${env.PORT}`;
  const server = packed.spawn(packed.commands.start, env);
  try {
    await waitForOutput(server, /Swarmloom is ready/);
    const check = packed.spawn(packed.commands.checkHealth, env);
    expect(await once(check, "exit")).toEqual([0, null]);
    const api = new Api(url);
    const { id } = await api.createFlow(flow);
    expect((await api.waitForRun(await api.startRun(id, "go"), 30)).status).toBe("SUCCESS");
    await page.goto(`${url}/flows/${id}`);
    await expect(page.getByText("first", { exact: true }).first()).toBeVisible();
    await page.goto(`${url}/docs/editor`);
    await expect(page.getByRole("heading", { name: "The editor" })).toBeVisible();

    const backup = path.join(env.SWARMLOOM_DATA, "b.db");
    expect(await packed.call(["backup", backup], env)).toMatchObject({ stderr: "", code: 0 });
    expect(await stopProcess(server)).toBe(0);
    expect(await packed.call(["restore", backup], env)).toMatchObject({ stderr: "", code: 0 });
    expect(await packed.call(["migrate"], env)).toEqual(upToDate);
    expect(await packed.call(["rotate-secret"], env)).toMatchObject({ stderr: "", code: 0 });
    expect(await packed.call(["parse", "a >> b"], env)).toMatchObject({ stderr: "", code: 0 });
  } finally {
    await stopProcess(server);
  }
});

test("its worker drives the runs of its server on PostgreSQL, which it backs up and restores", async () => {
  const installation = findPostgres();
  const programs = installation?.type === "programs" ? installation.folder : "";
  test.skip(programs === "", "PostgreSQL is not installed");
  const postgres = new PostgresServer(programs);
  await postgres.start();
  const PATH = `${programs}${path.delimiter}${process.env.PATH}`;
  const env = { ...(await makeEnv("postgresql")), DATABASE_URL: postgres.url, PATH };
  const processes = [packed.spawn(packed.commands.start, env), packed.spawn(packed.commands.worker, env)];
  try {
    const [server, worker] = processes;
    if (!server || !worker) throw new Error("two processes were started");
    await Promise.all([waitForOutput(server, /Swarmloom is ready/), waitForOutput(worker, /the worker is ready/)]);
    const api = new Api(`http://127.0.0.1:${env.PORT}`);
    const { id } = await api.createFlow(flow);
    expect((await api.waitForRun(await api.startRun(id, "go"), 30)).status).toBe("SUCCESS");
    const health = await fetch(`http://127.0.0.1:${env.PORT}/api/health`);
    expect(await health.json()).toMatchObject({ status: "ok", workers: 1 });

    const backup = path.join(env.SWARMLOOM_DATA, "b.dump");
    expect(await packed.call(["backup", backup], env)).toMatchObject({ stderr: "", code: 0 });
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(await packed.call(["restore", backup], env)).toMatchObject({ code: 1 });
    expect(await Promise.all(processes.map(stopProcess))).toEqual([0, 0]);
    expect(await packed.call(["restore", backup], env)).toMatchObject({ stderr: "", code: 0 });
    expect(await packed.call(["migrate"], env)).toEqual(upToDate);
  } finally {
    await Promise.all(processes.map(stopProcess));
    await postgres.stop();
  }
});

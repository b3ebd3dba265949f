import { findPostgres } from "../../.config/find-postgres.mjs";
import { PostgresServer, performOn } from "../../prisma/testing/postgres-server";
import { Api } from "../fixtures/api";
import { AppServer } from "../fixtures/app-server";
import { expect, test } from "../fixtures/test";
import { RunListPage } from "../pages/run-list-page";

const installation = findPostgres();
const programs = installation?.type === "programs" ? installation.folder : "";
const password = "hidden-database-word";

const demo = `name: On PostgreSQL
agents:
  first: { model: "demo:researcher" }
  second: { model: "demo:writer" }
swarm: { type: workflow, flow: first >> second }
`;
const slow = `name: Cut
agents:
  quick: { model: "openai:slow-3", instructions: "Before the end." }
  late: { model: "openai:slow-1", instructions: "During the end." }
swarm: { type: workflow, flow: quick >> late }
`;

test.skip(programs === "", "PostgreSQL is not installed");

test("the app waits for PostgreSQL, runs flows on it, and outlives its own end and that of the database", async ({
  page,
  wire,
}) => {
  test.setTimeout(120_000);
  const postgres = new PostgresServer(programs);
  await postgres.start();
  await performOn(
    postgres.url,
    `CREATE ROLE swarmloom LOGIN PASSWORD '${password}'`,
    "CREATE DATABASE swarmloom OWNER swarmloom",
  );
  const url = new URL(postgres.url);
  [url.username, url.password, url.pathname] = ["swarmloom", password, "/swarmloom"];
  const env = { OPENAI_API_KEY: "sk-loopback", OPENAI_BASE_URL: `${wire.url}/v1`, DATABASE_URL: url.href };
  const app = new AppServer(env);
  try {
    await postgres.kill("SIGINT");
    const started = app.start();
    await expect(() =>
      expect(app.output).toContain("The PostgreSQL server of DATABASE_URL cannot be reached"),
    ).toPass();
    await postgres.launch();
    await started;

    const api = new Api(app.url);
    const { id } = await api.createFlow(demo);
    const demoRun = await api.startRun(id, "go");
    expect((await api.waitForRun(demoRun, 30)).status).toBe("SUCCESS");
    const events = await (await fetch(`${app.url}/api/v1/runs/${demoRun}/events`)).text();
    const numbers = [...events.matchAll(/^id: ?(\d+)$/gm)].map(([, number]) => Number(number));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(events).toContain("run.finished");

    await app.kill();
    await app.start();
    expect((await api.waitForRun(demoRun, 1)).output.text).not.toBe("");

    const { id: slowId } = await api.createFlow(slow);
    const interrupted = await api.startRun(slowId, "again");
    await api.waitForStep(interrupted, "late", "RUNNING");
    await postgres.kill("SIGQUIT");
    await expect(async () => expect((await fetch(`${app.url}/api/health`)).status).toBe(503)).toPass();
    await postgres.launch();
    await expect(async () => expect((await fetch(`${app.url}/api/health`)).status).toBe(200)).toPass();
    await expect(async () => expect((await api.getRun(interrupted)).status).toBe("SUCCESS")).toPass();
    expect((await api.waitForRun(await api.startRun(id, "last"), 30)).status).toBe("SUCCESS");

    await page.goto(`${app.url}/runs`);
    const { rows } = new RunListPage(page);
    await expect(rows).toHaveCount(3);
    await expect(rows.first()).toContainText("On PostgreSQL");
    expect(app.output).not.toContain(password);
  } finally {
    await app.stop();
    await postgres.stop();
  }
});

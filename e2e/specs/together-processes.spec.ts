import { PostgresServer } from "@/prisma/testing/postgres-server";
import { findPostgres } from "../../.config/find-postgres.mjs";
import { Api } from "../fixtures/api";
import { AppServer } from "../fixtures/app-server";
import { expect, test } from "../fixtures/test";
import { Person } from "../pages/together";

const source = `name: Two servers
# ann
# bob
agents:
  a: { model: "demo:writer" }
  b: { model: "demo:writer" }
swarm:
  type: workflow
  flow: a >> b
`;
const installation = findPostgres();
const programs = installation?.type === "programs" ? installation.folder : "";

test.skip(programs === "", "PostgreSQL is not installed");

test("two people at two servers with one database edit text and canvas; one server is killed in the middle", async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const postgres = new PostgresServer(programs);
  await postgres.start();
  const env = { DATABASE_URL: postgres.url, SWARMLOOM_SECRET: "a secret of this test", SWARMLOOM_DEMO_SPEED: "0" };
  const [one, two] = [new AppServer(env), new AppServer(env)];
  try {
    await one.start();
    await two.start();
    const api = new Api(one.url);
    const { id } = await api.createFlow(source);
    const [ann, bob] = [await Person.enter(browser, one.url, id), await Person.enter(browser, two.url, id)];
    for (const person of [ann, bob]) await expect(person.people.getByRole("button")).toHaveCount(1);
    const bothType = (word: string) =>
      Promise.all([ann.typeAfter("# ann", ` ${word}`), bob.typeAfter("# bob", ` ${word}`)]);
    await bothType("one");
    await ann.select("a");
    await ann.chooseModel("demo:critic");
    await expect.poll(() => bob.shownText()).toContain('a: { model: "demo:critic" }');

    await two.kill();
    await bothType("two");
    await bob.select("b");
    await bob.chooseModel("demo:planner");
    await two.start();

    const expected = source
      .replace("# ann", "# ann one two")
      .replace("# bob", "# bob one two")
      .replace('a: { model: "demo:writer" }', 'a: { model: "demo:critic" }')
      .replace('b: { model: "demo:writer" }', 'b: { model: "demo:planner" }');
    await expect.poll(() => api.getSource(id), { timeout: 60_000 }).toBe(expected);
    for (const person of [ann, bob]) {
      await expect.poll(() => person.shownText()).toBe(expected);
      await person.saved();
      await person.context.close();
    }
  } finally {
    await two.stop();
    await one.stop();
    await postgres.stop();
  }
});

import { expect } from "@playwright/test";
import { PostgresServer } from "@/prisma/testing/postgres-server";
import { findPostgres } from "../../.config/find-postgres.mjs";
import { Api } from "../fixtures/api";
import { AppServer } from "../fixtures/app-server";
import { Person } from "../pages/together";
import { tell } from "./figures";
import { test } from "./test";

const source = 'name: Shared\nagents:\n  a: { model: "demo:writer" }\n# top\nswarm: { type: workflow, flow: a }\n';
const keys = 60;

/** The value below which 95 of 100 are. */
const percentile95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN;

/** When keys were pressed in a page, in milliseconds since the epoch. */
const recordKeys = (person: Person) =>
  person.page.evaluateHandle(() => {
    const times: number[] = [];
    const record = (): void => void times.push(performance.timeOrigin + performance.now());
    document.addEventListener("keydown", record, { capture: true });
    return times;
  });

/** When the text on a page had changed, in the frames that showed it, in milliseconds since the epoch. */
const recordChanges = (person: Person) =>
  person.page.evaluateHandle(() => {
    const times: number[] = [];
    const lengthOf = (): number => document.querySelector(".cm-content")?.textContent?.length ?? 0;
    let shown = lengthOf();
    const look = (now: number): void => {
      const length = lengthOf();
      if (length !== shown) times.push(performance.timeOrigin + now);
      shown = length;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    return times;
  });

/** From each key of one person to the frame in which the other sees it: the 95th percentile, in milliseconds. */
async function measureKeys(ann: Person, bob: Person): Promise<number> {
  await expect(ann.people.getByRole("button")).toHaveCount(1);
  await ann.typeAfter("# top", " ");
  await expect(bob.page.locator(".cm-line", { hasText: "# top " })).toBeVisible();
  const [pressed, seen] = [await recordKeys(ann), await recordChanges(bob)];
  for (let key = 1; key <= keys; key++) {
    await ann.page.keyboard.press("x");
    await expect.poll(() => seen.evaluate((times) => times.length)).toBe(key);
  }
  const [from, to] = [await pressed.jsonValue(), await seen.jsonValue()];
  return percentile95(to.map((time, index) => time - (from[index] ?? Number.NaN)));
}

const measured = "from a key to the other's screen, p95";

test("two people at one server", async ({ app, browser }) => {
  const { id } = await new Api(app.url).createFlow(source);
  const p95 = await measureKeys(await Person.enter(browser, app.url, id), await Person.enter(browser, app.url, id));
  tell("two people, one server", measured, p95, "ms", 50);
});

test("two people at two servers with one PostgreSQL database", async ({ browser }) => {
  const installation = findPostgres();
  test.skip(installation?.type !== "programs", "PostgreSQL is not installed");
  const postgres = new PostgresServer(installation?.type === "programs" ? installation.folder : "");
  await postgres.start();
  const env = { DATABASE_URL: postgres.url, SWARMLOOM_SECRET: "a secret of this benchmark" };
  const [first, second] = [new AppServer(env), new AppServer(env)];
  try {
    await first.start();
    await second.start();
    const { id } = await new Api(first.url).createFlow(source);
    const [ann, bob] = [await Person.enter(browser, first.url, id), await Person.enter(browser, second.url, id)];
    tell("two people, two servers", measured, await measureKeys(ann, bob), "ms", 120);
  } finally {
    await second.stop();
    await first.stop();
    await postgres.stop();
  }
});

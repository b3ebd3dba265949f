import { expect } from "@playwright/test";
import { Api } from "../fixtures/api";
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

test("from a key to the frame in which another person sees it", async ({ app, browser }) => {
  const { id } = await new Api(app.url).createFlow(source);
  const ann = await Person.enter(browser, app.url, id);
  const bob = await Person.enter(browser, app.url, id);
  await expect(ann.people.getByRole("button")).toHaveCount(1);
  await ann.typeAfter("# top", " ");
  await expect(bob.page.locator(".cm-line", { hasText: "# top " })).toBeVisible();
  const [pressed, seen] = [await recordKeys(ann), await recordChanges(bob)];
  for (let key = 1; key <= keys; key++) {
    await ann.page.keyboard.press("x");
    await expect.poll(() => seen.evaluate((times) => times.length)).toBe(key);
  }
  const [from, to] = [await pressed.jsonValue(), await seen.jsonValue()];
  const waits = to.map((time, index) => time - (from[index] ?? Number.NaN));
  tell("two people", "from a key to the other's screen, p95", percentile95(waits), "ms", 50);
});

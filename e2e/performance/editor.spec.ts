import { expect, type Page } from "@playwright/test";
import { keepBudget, median, tell } from "./figures";
import { Probe } from "./probe";
import { test } from "./test";

const keys = 15;

/** Median milliseconds from a key in the name of the flow to the frame in which the page's heading shows the new one. */
async function toPicture(page: Page): Promise<number> {
  const heading = page.getByRole("heading", { level: 1 });
  const watching = await heading.evaluateHandle((title: HTMLElement) => {
    const times: number[] = [];
    let [shown, pressed] = [title.title, 0];
    document.addEventListener(
      "keydown",
      () => {
        pressed = performance.now();
      },
      { capture: true },
    );
    const look = (now: number): void => {
      if (title.title !== shown) times.push(now - pressed);
      shown = title.title;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    return times;
  });
  for (let key = 1; key <= keys; key++) {
    await page.keyboard.press("x");
    await expect.poll(() => watching.evaluate((times) => times.length)).toBe(key);
  }
  return median(await watching.jsonValue());
}

test("typing into a text of 5,000 lines beside its canvas", async ({ page }) => {
  const probe = await Probe.attach(page);
  const subject = "5,000 lines";
  tell(subject, "first picture", await probe.open("/bench/editor?lines=5000"), "ms");
  const text = page.getByRole("textbox", { name: "Flow text" });
  await expect(text).toBeVisible();
  await text.click();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.press("End");
  await probe.settle();
  tell(subject, "from a key to what it changes beside the text", await toPicture(page), "ms", 120);

  await page.keyboard.press("ControlOrMeta+Home");
  await probe.settle();
  const before = await probe.mainTime();
  const typed = 60;
  for (let key = 0; key < typed; key++) await page.keyboard.type("#");
  const perKey = ((await probe.mainTime()) - before) / typed;
  tell(subject, "a key", perKey, "main ms", 8);
  keepBudget(subject, "DOM nodes", await probe.domNodes(), "", 10_000);
});

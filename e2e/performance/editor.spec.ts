import { expect, type Page } from "@playwright/test";
import { keepBudget, tell } from "./figures";
import { Probe } from "./probe";
import { test } from "./test";

/** Median milliseconds from a key in the name of the flow to the frame in which the inspector shows the new one. */
async function toPicture(page: Page): Promise<number> {
  const times: number[] = [];
  const name = page.getByRole("textbox", { name: "Flow name" });
  for (let key = 0; key < 15; key++) {
    const shown = name.evaluate(
      (field) =>
        new Promise<number>((resolve) => {
          const before = field instanceof HTMLInputElement ? field.value : "";
          let pressed = 0;
          const note = (): void => {
            pressed = performance.now();
          };
          document.addEventListener("keydown", note, { capture: true, once: true });
          const look = (now: number): void => {
            const isShown = field instanceof HTMLInputElement && field.value !== before;
            if (isShown) resolve(now - pressed);
            else requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
        }),
    );
    await page.keyboard.press("x");
    times.push(await shown);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

test("typing into a text of 5,000 lines beside its canvas", async ({ page }) => {
  const probe = await Probe.attach(page);
  const subject = "5,000 lines";
  tell(subject, "first picture", await probe.open("/bench/editor?lines=5000"), "ms");
  const text = page.getByRole("textbox", { name: "Flow text" });
  await expect(text).toBeVisible();
  await text.click();
  await page.keyboard.press("ControlOrMeta+Home");
  await probe.settle();
  const before = await probe.mainTime();
  const keys = 60;
  for (let key = 0; key < keys; key++) await page.keyboard.type("#");
  const perKey = ((await probe.mainTime()) - before) / keys;
  tell(subject, "a key", perKey, "main ms", 8);

  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.press("End");
  await probe.settle();
  tell(subject, "from a key to what it changes beside the text", await toPicture(page), "ms", 120);
  keepBudget(subject, "DOM nodes", await probe.domNodes(), "", 10_000);
});

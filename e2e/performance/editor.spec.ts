import { expect } from "@playwright/test";
import { keepBudget, tell } from "./figures";
import { Probe } from "./probe";
import { test } from "./test";

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
  keepBudget(subject, "DOM nodes", await probe.domNodes(), "", 10_000);
});

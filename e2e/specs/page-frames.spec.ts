import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";

const pages = [
  ...["/", "/runs", "/triggers", "/inbox", "/audit", "/docs/api", "/docs/editor"],
  ...["/settings/connections", "/settings/runs", "/settings/tools", "/settings/access"],
];

for (const [width, left] of [
  [1440, 32],
  [390, 16],
] as const)
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 } });

    test("the title of each page begins at the same place", async ({ page }) => {
      const places: string[] = [];
      for (const address of pages) {
        await page.goto(address);
        const box = await page.getByRole("heading", { level: 1 }).boundingBox();
        places.push(`${address} ${box?.x}`);
      }
      expect(places).toEqual(pages.map((address) => `${address} ${left}`));
    });
  });

test("the settings are a page per group, which the list beside it names", async ({ page }) => {
  await page.goto("/settings");
  await expect(page).toHaveURL(/\/settings\/connections$/);
  const list = page.getByRole("navigation", { name: "Settings" });
  await expect(list.getByRole("link")).toHaveText(["Connections", "Runs", "Tools", "Access"]);
  for (const [group, section] of [
    ["Runs", "Limits"],
    ["Tools", "Approvals"],
    ["Access", "API keys"],
  ] as const) {
    await list.getByRole("link", { name: group }).click();
    await expect(list.getByRole("link", { name: group })).toHaveAttribute("aria-current", "page");
    await expect(page.getByRole("region", { name: section })).toBeVisible();
    await expect(page.getByRole("region", { name: "Connections" })).toHaveCount(0);
    await expectAccessible(page);
  }
  await page.goto("/settings/team");
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
});

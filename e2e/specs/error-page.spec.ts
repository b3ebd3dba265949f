import { closeSync, fstatSync, openSync, writeSync } from "node:fs";
import path from "node:path";
import { AppServer } from "../fixtures/app-server";
import { findViolations } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";

test.use({ colorScheme: "dark" });

test("a page that fails in the server names what to do, in the theme of the system, and tries again on request", async ({
  page,
}) => {
  const app = new AppServer();
  await app.start();
  try {
    await page.goto(app.url);
    await expect(page.getByRole("heading", { name: "Flows", exact: true })).toBeVisible();
    // The index of the log comes last: without it the server reads the file again instead of the pages that it remembers.
    for (const name of ["swarmloom.db", "swarmloom.db-wal", "swarmloom.db-shm"])
      overwrite(path.join(app.dataFolder, name));
    await page.goto(`${app.url}/runs`);
    await expect(page.getByRole("heading", { name: "This page could not be shown" })).toBeVisible();
    await expect(page.getByText(/Something went wrong in the server \(\d+\); see its log/)).toBeVisible();
    await expect(page.locator("html[data-theme=dark]")).toBeAttached();
    expect(await findViolations(page)).toEqual([]);
    const nextRequest = page.waitForRequest((request) => new URL(request.url()).pathname === "/runs");
    await page.getByRole("button", { name: "Try again" }).click();
    await nextRequest;
  } finally {
    await app.stop();
  }
});

/** Keeps the length at every moment: the server has parts of the files in its memory. */
function overwrite(file: string): void {
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.alloc(fstatSync(descriptor).size, "x"), 0, undefined, 0);
  closeSync(descriptor);
}

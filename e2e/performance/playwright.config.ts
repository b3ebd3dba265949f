import { defineConfig } from "@playwright/test";
import base from "../playwright.config";

/** Measurements: one at a time, and every figure in one table at the end. */
export default defineConfig({
  ...base,
  testDir: ".",
  timeout: 300_000,
  // A second try would be a second figure.
  retries: 0,
  fullyParallel: false,
  workers: 1,
  reporter: [["list"], ["./table-reporter.ts"]],
  use: { ...base.use, trace: "off" },
});

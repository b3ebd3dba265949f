import { defineConfig } from "@playwright/test";
import { findBrowser } from "./find-browser";

export default defineConfig({
  testDir: "specs",
  outputDir: "../test-results",
  timeout: 90_000,
  expect: { timeout: 15_000 },
  fullyParallel: true,
  workers: 2,
  // On a busy machine a wait may be too short once; a test that fails twice is red.
  retries: 1,
  reportSlowTests: null,
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"], ["json", { outputFile: process.env.E2E_REPORT ?? "../test-results/report.json" }]],
  use: {
    viewport: { width: 1440, height: 900 },
    trace: "on-first-retry",
    launchOptions: {
      executablePath: findBrowser(),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});

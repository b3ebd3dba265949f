import { test as base } from "@playwright/test";
import { AppServer } from "../fixtures/app-server";

/** The app with the pages that are measured; `BENCH_FOLDER` is that of another build, which `compare-builds` sets. */
export const test = base.extend<object, { app: AppServer }>({
  app: [
    async ({ browserName: _ }, use) => {
      const app = new AppServer({ SWARMLOOM_BENCH: "1" }, [], process.env.BENCH_FOLDER);
      await app.start();
      await use(app);
      await app.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: async ({ app }, use) => use(app.url),
});

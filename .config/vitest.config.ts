import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { findPostgres } from "./find-postgres.mjs";

/** Tests of what only PostgreSQL does. */
const postgresTests = ["{lib,prisma}/**/*postgres*.test.ts"];
/** Tests of what both databases do: they run on SQLite and once more on PostgreSQL. */
const databaseTests = [
  "prisma/{run-store,store-contract}.test.ts",
  "lib/bench/many-runs/**/*.test.ts",
  "lib/server/{accounts,audit,backup,collaboration,comments,connections,flows,keys,metrics,orchestration,retention,runs,schedules,share-links,teams,trace-export,webhooks}/**/*.test.ts",
];

const postgresProject = {
  extends: true as const,
  test: {
    name: "postgresql",
    include: [...postgresTests, ...databaseTests],
    globalSetup: [fileURLToPath(new URL("vitest.postgres.ts", import.meta.url))],
    setupFiles: ["vitest.setup.ts", "vitest.postgres-setup.ts"].map((file) =>
      fileURLToPath(new URL(file, import.meta.url)),
    ),
    benchmark: { include: [] },
  },
};
const hasPostgres = findPostgres() !== null;
if (!hasPostgres) console.warn("PostgreSQL is not installed: its tests are skipped (apt-get install postgresql)");

export const root = fileURLToPath(new URL("..", import.meta.url));
export const alias = [
  { find: /^@\//, replacement: root },
  { find: /^server-only$/, replacement: `${root}node_modules/server-only/empty.js` },
];

export default defineConfig({
  root,
  resolve: { alias },
  test: {
    projects: [
      // Core is pure: its tests share the modules that a process has loaded.
      { extends: true, test: { name: "core", include: ["lib/core/**/*.test.ts"], isolate: false } },
      {
        extends: true,
        test: {
          name: "app",
          include: ["lib/**/*.test.ts", "app/**/*.test.ts", "prisma/**/*.test.ts"],
          exclude: ["lib/core/**", ...postgresTests],
          // All benchmarks are of core.
          benchmark: { include: [] },
        },
      },
      ...(hasPostgres ? [postgresProject] : []),
    ],
    // One less than the processors by default, which leaves one of two idle.
    maxWorkers: "100%",
    reporters: ["default", fileURLToPath(new URL("unit-report.ts", import.meta.url))],
    setupFiles: [fileURLToPath(new URL("vitest.setup.ts", import.meta.url))],
    testTimeout: 60_000,
    // On a busy machine a second is too short for what a test waits for.
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 120_000,
  },
});

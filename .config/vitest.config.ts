import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("..", import.meta.url));

export default defineConfig({
  root,
  resolve: {
    alias: [
      { find: /^@\//, replacement: root },
      { find: /^server-only$/, replacement: `${root}node_modules/server-only/empty.js` },
    ],
  },
  test: {
    projects: [
      // Core is pure: its tests share the modules that a process has loaded.
      { extends: true, test: { name: "core", include: ["lib/core/**/*.test.ts"], isolate: false } },
      {
        extends: true,
        test: {
          name: "app",
          include: ["lib/**/*.test.ts", "app/**/*.test.ts", "prisma/**/*.test.ts"],
          exclude: ["lib/core/**"],
          // All benchmarks are of core.
          benchmark: { include: [] },
        },
      },
    ],
    // One less than the processors by default, which leaves one of two idle.
    maxWorkers: "100%",
    reporters: ["default", fileURLToPath(new URL("slowest-files.ts", import.meta.url))],
    setupFiles: [fileURLToPath(new URL("vitest.setup.ts", import.meta.url))],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});

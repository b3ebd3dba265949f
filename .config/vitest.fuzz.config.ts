import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { alias, root } from "./vitest.config";

/** Fuzzers that need the modules of the app, and run in real time: no other project includes them. */
export default defineConfig({
  root,
  resolve: { alias },
  test: {
    include: ["app/**/*.fuzz.ts"],
    setupFiles: [fileURLToPath(new URL("vitest.setup.ts", import.meta.url))],
    // What they print appears at once, and as it is.
    disableConsoleIntercept: true,
    reporters: [["default", { summary: false }]],
    hookTimeout: 120_000,
  },
});

import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.join(import.meta.dirname, "../..");

const simulate = (...args: string[]) =>
  spawnSync(
    process.execPath,
    ["--conditions=react-server", "--import", "tsx", path.join(import.meta.dirname, "run.ts"), ...args],
    { cwd: root, encoding: "utf8" },
  );

test.each([
  ["document", / types e\w{3}\n/],
  ["runs", / is acknowledged\n/],
  ["schedules", / starts\n/],
])("a seed of %s gives the same events again, alone and after others", { timeout: 240_000 }, (part, event) => {
  const alone = simulate("--seed", "8", "--part", part);
  expect(alone.stdout).toMatch(event);
  expect(alone.stdout).toContain("seed 8: all rules hold");
  expect(simulate("--seed", "8", "--part", part, "--after", "2").stdout).toBe(alone.stdout);
});

test("what is no number of seeds is refused", () => {
  expect(simulate("many").stderr).toContain('expected a whole number, found "many"');
}, 120_000);

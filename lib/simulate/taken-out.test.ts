import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { mends } from "./program/mends";

const root = path.join(import.meta.dirname, "../..");

/** Simulates seeds of a part without a mend, up to the first one that breaks a rule. Returns the rule that was broken. */
const findFault = (part: string, mend: string): string =>
  spawnSync(
    process.execPath,
    [
      ...["--conditions=react-server", "--import", "tsx", path.join(import.meta.dirname, "run.ts"), "300"],
      ...["--first", "--part", part, "--without", mend],
    ],
    { cwd: root, encoding: "utf8" },
  ).stderr;

test.each(Object.entries(mends))("the absence of %s is found", { timeout: 300_000 }, (mend, { part, finding }) => {
  expect(findFault(part, mend)).toMatch(finding);
});

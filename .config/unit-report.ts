import { writeFileSync } from "node:fs";
import path from "node:path";
import type { SerializedError } from "vitest";
import type { Reporter, TestModule } from "vitest/node";

/**
 * Prints the ten test files that took longest, imports and hooks included. Writes the errors that belong to no test, as JSON of
 * `{ file, message }`, to the file that `UNHANDLED_ERRORS` names.
 */
export default class UnitReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    if (process.env.UNHANDLED_ERRORS) writeFileSync(process.env.UNHANDLED_ERRORS, JSON.stringify(errors.map(describe)));
    const files = modules
      .map((module) => {
        const { prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic();
        return {
          name: path.relative(process.cwd(), module.moduleId),
          milliseconds: prepareDuration + collectDuration + setupDuration + duration,
        };
      })
      .sort((left, right) => right.milliseconds - left.milliseconds);
    if (files.length <= 10) return;
    console.log("\nSlowest test files:");
    for (const { name, milliseconds } of files.slice(0, 10))
      console.log(`${(milliseconds / 1000).toFixed(1).padStart(7)} s  ${name}`);
  }
}

function describe({ message, stack = "", VITEST_TEST_PATH: file }: SerializedError): { file: string; message: string } {
  const place = stack.split("\n").find((line) => /^\s+at /.test(line) && !line.includes("node_modules")) ?? "";
  return {
    file: typeof file === "string" ? path.relative(process.cwd(), file) : "a file",
    message: `${message} ${place}`,
  };
}

import path from "node:path";
import type { Reporter, TestModule } from "vitest/node";

/** Prints the ten test files that took longest, imports and hooks included. */
export default class SlowestFilesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
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

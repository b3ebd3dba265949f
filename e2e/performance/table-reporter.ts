import type { Reporter, TestCase } from "@playwright/test/reporter";
import { type Figure, figureSchema } from "./figures";

/** Prints what the measurements noted as one table. */
export default class TableReporter implements Reporter {
  readonly #figures: Figure[] = [];

  onTestEnd(test: TestCase): void {
    for (const { type, description } of test.annotations)
      if (type === "figure") this.#figures.push(figureSchema.parse(JSON.parse(description ?? "")));
  }

  onEnd(): void {
    const rows = this.#figures.map(({ subject, what, value, unit, goal, least }) => {
      const wanted = goal === null ? "" : `${least ? "≥" : "≤"} ${goal}`;
      const isKept = goal === null || (least ? value >= goal : value <= goal);
      return [subject, what, `${Math.round(value * 100) / 100} ${unit}`, wanted, isKept ? "" : "over"];
    });
    const table = [["subject", "measured", "figure", "goal", ""], ...rows];
    const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
    const lines = table.map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`);
    lines.splice(1, 0, `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`);
    console.log(`\n${lines.join("\n")}`);
  }

  printsToStdio(): boolean {
    return true;
  }
}

import path from "node:path";
import type { FullConfig, FullResult, Reporter, Suite, TestCase } from "@playwright/test/reporter";
import { formatTable, writeFigures } from "@/lib/bench/write-figures";
import { type Figure, figureSchema } from "./figures";

const header = ["subject", "measured", "figure", "goal", ""];

function toRow({ subject, what, value, unit, goal, least }: Figure): string[] {
  const wanted = goal === null ? "" : `${least ? "≥" : "≤"} ${goal}`;
  const isKept = goal === null || (least ? value >= goal : value <= goal);
  return [subject, what, `${Math.round(value * 100) / 100} ${unit}`, wanted, isKept ? "" : "over"];
}

/**
 * Prints the measured figures as one table. Those of a spec file that ran completely are written into the documentation,
 * where the file has a block.
 */
export default class TableReporter implements Reporter {
  readonly #figures = new Map<string, Figure[]>();
  readonly #incomplete = new Set<string>();
  #isFiltered = false;

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#isFiltered = process.argv.some((argument) => argument === "-g" || argument.startsWith("--grep"));
    for (const test of suite.allTests()) this.#incomplete.add(test.id);
  }

  onTestEnd(test: TestCase): void {
    const section = path.basename(test.location.file, ".spec.ts");
    const figures = test.annotations
      .filter(({ type }) => type === "figure")
      .map(({ description }) => figureSchema.parse(JSON.parse(description ?? "")));
    this.#figures.set(section, [...(this.#figures.get(section) ?? []), ...figures]);
    this.#incomplete.delete(test.id);
  }

  onEnd({ status }: FullResult): void {
    console.log(`\n${formatTable(header, [...this.#figures.values()].flat().map(toRow))}`);
    if (this.#isFiltered || this.#incomplete.size > 0 || status === "interrupted") return;
    for (const [section, figures] of this.#figures)
      if (figures.length > 0) writeFigures(section, formatTable(header, figures.map(toRow)));
  }

  printsToStdio(): boolean {
    return true;
  }
}

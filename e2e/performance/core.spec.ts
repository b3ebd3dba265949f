import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { transformSync } from "esbuild";
import { toBenchSource } from "@/app/bench/_bench/bench-source";
import { emptyLayout } from "@/lib/core/flow/edit";
import { applyChanges } from "@/lib/core/flow/text-change";
import { flowOfStages } from "@/lib/core/kinds/testing/flow.arbitrary";
import { type ArrangedNode, arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { applyEdit } from "@/lib/core/source/apply-edit";
import { readSource } from "@/lib/core/source/read-source";
import { keepBudget, median, tell } from "./figures";

/** Median milliseconds of CPU time of a call, once it has run often enough to be compiled. */
function cost(act: () => void, rounds = 15): number {
  const times = Array.from({ length: rounds + 5 }, () => {
    const before = process.cpuUsage();
    act();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return median(times.slice(5));
}

/** The number of overlapping pairs of cards. */
function countOverlaps(cards: readonly ArrangedNode[]): number {
  const sorted = cards.toSorted((a, b) => a.x - b.x);
  let count = 0;
  sorted.forEach((one, index) => {
    for (let next = index + 1; (sorted[next]?.x ?? Number.POSITIVE_INFINITY) < one.x + one.width; next++) {
      const other = sorted[next];
      if (other && one.y < other.y + other.height && other.y < one.y + one.height) count++;
    }
  });
  return count;
}

for (const [agents, goal] of [
  [1000, 2],
  [5000, 10],
  [100_000, 60],
] as const) {
  test(`layout of ${agents} agents`, () => {
    const flow = flowOfStages(agents);
    const subject = `${agents.toLocaleString("en")} agents`;
    tell(
      subject,
      "layout",
      cost(() => void arrangeFlow(flow, emptyLayout)),
      "ms",
      goal,
    );
    const arrangement = arrangeFlow(flow, emptyLayout);
    expect(arrangement.nodes.length).toBe(agents);
    keepBudget(subject, "cards that overlap", countOverlaps(arrangement.nodes.filter(({ frame }) => !frame)), "", 0);
    expect(JSON.stringify(arrangeFlow(flow, emptyLayout)) === JSON.stringify(arrangement)).toBe(true);
  });
}

test("weight of the layout", () => {
  const files = ["arrange-flow.ts", "build-boxes.ts", "link-boxes.ts", "arrangement.ts"];
  const folder = path.join(import.meta.dirname, "../../lib/core/layout");
  const code = files.map((file) => {
    const source = readFileSync(path.join(folder, file), "utf8");
    return transformSync(source, { loader: "ts", minify: true }).code;
  });
  keepBudget("layout", "its code", gzipSync(code.join("\n")).length / 1024, "KB gz", 4);
});

test("canvas to text at 5,000 lines", () => {
  const text = toBenchSource({ agents: 1250, groups: true });
  const document = readSource(text);
  let count = 0;
  const add = (): void => {
    const name = `new_${count++}`;
    const edit = { type: "add-agent", name, model: "demo:writer", scope: { type: "root" }, after: "a600" } as const;
    const result = applyEdit(document, emptyLayout, edit);
    if (!result.ok) throw new Error(result.problem.message);
    applyChanges(text, result.changes);
  };
  const set = (): void => {
    const edit = { type: "set-agent-field", name: "a600", field: "max_steps", value: 5 + (count++ % 2) } as const;
    const result = applyEdit(document, emptyLayout, edit);
    if (!result.ok) throw new Error(result.problem.message);
    const after = applyChanges(text, result.changes).split("\n");
    const changed = text.split("\n").filter((line, index) => line !== after[index]);
    expect(changed).toEqual(["    max_steps: 4"]);
  };
  tell("5,000 lines", "an agent added on the canvas, written into the text", cost(add), "ms", 16);
  tell("5,000 lines", "a field set beside the canvas, written into the text", cost(set), "ms", 16);
});

import * as z from "zod/mini";
import { groupBy } from "../../flow/group-by";
import { type RunNodeKind, runNodeKinds, runStatusSchema } from "../../run/events/events";

/** A step of a run as a comparison needs it: figures, no texts. */
const comparedStepSchema = z.object({
  id: z.number(),
  status: runStatusSchema,
  /** In milliseconds; null while it runs. */
  durationMs: z.nullable(z.number()),
  tokens: z.number(),
  /** US dollars; null is unknown. */
  cost: z.nullable(z.number()),
  /** It cost more than what is known. */
  isCostPartial: z.optional(z.literal(true)),
  /** It is that of the run that its run continues: it took no time, tokens and cost. */
  reused: z.boolean(),
});
export type ComparedStep = z.infer<typeof comparedStepSchema>;

/** A step before it is compared. */
export interface StepToCompare extends ComparedStep {
  parent?: number | undefined;
  path: string;
  kind: RunNodeKind;
  name: string;
  /** A digest of the output: two steps with the same one gave the same answer. */
  output: string;
}

/** In what the steps of a row are not the same. Time alone is no difference: no two runs take equally long. */
const differenceSchema = z.enum(["presence", "name", "status", "output", "tokens", "cost"]);
export type Difference = z.infer<typeof differenceSchema>;

/** The steps of one path, one place for each run. */
export const comparedRowSchema = z.object({
  path: z.string(),
  kind: z.enum(runNodeKinds),
  name: z.string(),
  /** 1 for the root. */
  depth: z.number(),
  /** In the order of the runs; null where a run has no such step. */
  steps: z.array(z.nullable(comparedStepSchema)),
  differences: z.array(differenceSchema),
});
export type ComparedRow = z.infer<typeof comparedRowSchema>;

/**
 * The steps of several runs side by side, by their paths. Every step of every run is in exactly one row; rows form
 * a tree in the order of the first run (the base), and a step that only others have follows the same sibling as
 * there. Where runs have a step under different parents, the first run that has it decides.
 * Takes time in proportion to the number of steps.
 */
export function alignSteps(runs: readonly (readonly StepToCompare[])[]): ComparedRow[] {
  const keyed = runs.map((steps) => toKeys(steps));
  const tree = new MergedTree();
  for (const steps of keyed) tree.add(steps);
  const stepsByKey = keyed.map((steps) => new Map(steps.map(({ key, step }) => [key, step])));
  return tree.walk().map(({ key, depth }) =>
    toRow(
      stepsByKey.map((stepByKey) => stepByKey.get(key) ?? null),
      depth,
    ),
  );
}

/** A step under the key that is its own within its run, and its parent's; null at the top. */
interface KeyedStep {
  key: string;
  parent: string | null;
  step: StepToCompare;
}

/** Paths are unique within a run; should two steps share one, the second gets a mark of its own. */
function toKeys(steps: readonly StepToCompare[]): KeyedStep[] {
  const pathCounts = new Map<string, number>();
  const keys = new Map<number, string>();
  return [...steps]
    .sort((a, b) => a.id - b.id)
    .map((step) => {
      const count = (pathCounts.get(step.path) ?? 0) + 1;
      pathCounts.set(step.path, count);
      const key = count === 1 ? step.path : `${step.path}\n${count}`;
      // A parent begins before its children; any other parent would form a cycle.
      const parent = step.parent === undefined ? null : (keys.get(step.parent) ?? null);
      keys.set(step.id, key);
      return { key, parent, step };
    });
}

/** The trees of several runs in one, in the order of the first. */
class MergedTree {
  readonly #parents = new Map<string, string | null>();
  readonly #children = new Map<string | null, string[]>();

  add(steps: readonly KeyedStep[]): void {
    for (const { key, parent } of steps) if (!this.#parents.has(key)) this.#parents.set(key, parent);
    const siblings = groupBy(steps, ({ key }) => this.#parents.get(key) ?? null);
    for (const [parent, siblingSteps] of siblings) {
      const keys = siblingSteps.map(({ key }) => key);
      this.#children.set(parent, mergeOrder(this.#children.get(parent) ?? [], keys));
    }
  }

  /** Every key, parents before their children. */
  walk(): { key: string; depth: number }[] {
    const rows: { key: string; depth: number }[] = [];
    const below = (key: string | null, depth: number) =>
      (this.#children.get(key) ?? []).map((child) => ({ key: child, depth })).reverse();
    const waiting = below(null, 1);
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      rows.push(next);
      for (const child of below(next.key, next.depth + 1)) waiting.push(child);
    }
    return rows;
  }
}

/** `mergedKeys` in their order; a new key follows the merged key that it follows in `newKeys`, or precedes the first shared one. */
function mergeOrder(mergedKeys: readonly string[], newKeys: readonly string[]): string[] {
  const isKnown = new Set(mergedKeys);
  const newKeysAfter = new Map<string | null, string[]>();
  let after: string | null = null;
  let firstSharedKey: string | null = null;
  for (const key of newKeys) {
    if (!isKnown.has(key)) {
      const following = newKeysAfter.get(after);
      if (following) following.push(key);
      else newKeysAfter.set(after, [key]);
    } else {
      firstSharedKey ??= key;
      after = key;
    }
  }
  const leading = newKeysAfter.get(null) ?? [];
  const merged = mergedKeys.flatMap((key) => [
    ...(key === firstSharedKey ? leading : []),
    key,
    ...(newKeysAfter.get(key) ?? []),
  ]);
  return firstSharedKey === null ? [...merged, ...leading] : merged;
}

function toRow(steps: readonly (StepToCompare | null)[], depth: number): ComparedRow {
  const present = steps.filter((step) => step !== null);
  const [baseStep, ...otherSteps] = present;
  if (!baseStep) throw new Error("a row of a comparison has a step");
  const differences: Difference[] = otherSteps.length + 1 < steps.length ? ["presence"] : [];
  for (const [difference, toFact] of facts)
    if (otherSteps.some((step) => isComparable(difference, baseStep, step) && toFact(step) !== toFact(baseStep)))
      differences.push(difference);
  const { path, kind, name } = baseStep;
  return { path, kind, name, depth, steps: steps.map(toFigures), differences };
}

const isComparable = (difference: Difference, base: StepToCompare, step: StepToCompare): boolean =>
  (difference !== "tokens" && difference !== "cost") || (!base.reused && !step.reused);

const facts: readonly [Difference, of: (step: StepToCompare) => unknown][] = [
  ["name", ({ kind, name }) => `${kind} ${name}`],
  ["status", ({ status }) => status],
  ["output", ({ output }) => output],
  ["tokens", ({ tokens }) => tokens],
  ["cost", ({ cost }) => cost],
];

const toFigures = (step: StepToCompare | null): ComparedStep | null =>
  step && {
    id: step.id,
    status: step.status,
    durationMs: step.durationMs,
    tokens: step.tokens,
    cost: step.cost,
    ...(step.isCostPartial && { isCostPartial: true }),
    reused: step.reused,
  };

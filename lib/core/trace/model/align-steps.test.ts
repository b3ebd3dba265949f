import fc from "fast-check";
import { expect, test } from "vitest";
import { alignSteps, type ComparedRow, type StepToCompare } from "./align-steps";

const step = (id: number, path: string, parent?: number, more: Partial<StepToCompare> = {}): StepToCompare => ({
  id,
  parent,
  path,
  kind: "agent",
  name: path,
  status: "SUCCESS",
  durationMs: id,
  tokens: 1,
  cost: 0,
  reused: false,
  output: path,
  ...more,
});
/** `root` with these below it. */
const under = (...paths: string[]): StepToCompare[] => [
  step(1, "root"),
  ...paths.map((path, index) => step(index + 2, path, 1)),
];
const draw = (rows: readonly ComparedRow[]): string[] =>
  rows.map(({ path, depth, steps }) => `${"-".repeat(depth - 1)}${path} ${steps.map((s) => s?.id ?? ".").join(" ")}`);

test("shared steps are in one row, a new step follows the step before it", () => {
  expect(draw(alignSteps([under("a", "b", "c"), under("new", "a", "x", "y", "c", "last")]))).toEqual([
    "root 1 1",
    "-new . 2",
    "-a 2 3",
    "-x . 4",
    "-y . 5",
    "-b 3 .",
    "-c 4 6",
    "-last . 7",
  ]);
});

test("with nothing in common the base comes first", () => {
  expect(draw(alignSteps([under("a"), under("b", "c")]))).toEqual(["root 1 1", "-a 2 .", "-b . 2", "-c . 3"]);
  expect(draw(alignSteps([[], [step(1, "other")]]))).toEqual(["other . 1"]);
  expect(alignSteps([[], []])).toEqual([]);
});

test("a step that moved under another parent is where the base has it", () => {
  const moved = [step(1, "root"), step(2, "group", 1), step(3, "a", 2)];
  expect(draw(alignSteps([under("a"), moved]))).toEqual(["root 1 1", "-group . 2", "-a 2 3"]);
});

test("a reused step took no tokens and no cost: that is no difference", () => {
  const [base, reused] = [step(1, "a"), step(1, "a", undefined, { tokens: 0, cost: null, reused: true })];
  expect(alignSteps([[base], [reused]])[0]?.differences).toEqual([]);
  expect(alignSteps([[reused], [base]])[0]?.differences).toEqual([]);
  expect(alignSteps([[base], [{ ...reused, output: "edited" }]])[0]?.differences).toEqual(["output"]);
  expect(alignSteps([[base], [reused], [step(1, "a", undefined, { tokens: 2 })]])[0]?.differences).toEqual(["tokens"]);
});

test("five runs, each in its own column", () => {
  const rows = alignSteps([under("a"), under("b"), under("a", "b"), [], under("a")]);
  expect(draw(rows)).toEqual(["root 1 1 1 . 1", "-a 2 . 2 . 2", "-b . 2 3 . ."]);
});

test.each<[Partial<StepToCompare>, string[]]>([
  [{}, []],
  [{ durationMs: 99 }, []],
  [{ status: "FAILED" }, ["status"]],
  [{ output: "other" }, ["output"]],
  [{ tokens: 2 }, ["tokens"]],
  [{ cost: null }, ["cost"]],
  [{ name: "other" }, ["name"]],
  [{ kind: "tool_call", tokens: 2 }, ["name", "tokens"]],
])("%o differs in %o", (change, differences) => {
  const [row] = alignSteps([[step(1, "a")], [step(1, "a", undefined, change)]]);
  expect(row?.differences).toEqual(differences);
});

test("a long run is aligned", () => {
  const long = Array.from({ length: 20_000 }, (_, i) => step(i + 1, `s${i}`, i === 0 ? undefined : Math.ceil(i / 3)));
  expect(alignSteps([long, long.toReversed()])).toHaveLength(20_000);
});

/** Steps whose parents began before them, with paths of their own. */
const run = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 25 }), fc.nat(), fc.constantFrom("x", "y")), {
    selector: ([path]) => path,
    maxLength: 20,
  })
  .map((drawn) =>
    drawn.map(([path, parent, output], index) =>
      step(index + 1, `p${path}`, index === 0 ? undefined : 1 + (parent % index), { output }),
    ),
  );
const preorder = (steps: readonly StepToCompare[]): string[] => alignSteps([steps]).map(({ path }) => path);

test("every step of every run is in exactly one row, in its run's column", () => {
  fc.assert(
    fc.property(fc.array(run, { minLength: 1, maxLength: 5 }), (runs) => {
      const rows = alignSteps(runs);
      for (const [column, steps] of runs.entries()) {
        const found = rows.flatMap(({ path, steps: places }) => {
          const place = places[column];
          return place ? [`${place.id} ${path}`] : [];
        });
        expect(found.sort()).toEqual(steps.map(({ id, path }) => `${id} ${path}`).sort());
      }
    }),
  );
});

test("the rows of the base keep its order, and every row is below one of a lower depth", () => {
  fc.assert(
    fc.property(fc.array(run, { minLength: 1, maxLength: 5 }), (runs) => {
      const rows = alignSteps(runs);
      const ofBase = rows.filter(({ steps }) => steps[0] !== null).map(({ path }) => path);
      expect(ofBase).toEqual(preorder(runs[0] ?? []));
      for (const [index, { depth }] of rows.entries())
        expect(depth).toBeLessThanOrEqual((rows[index - 1]?.depth ?? 0) + 1);
    }),
  );
});

test("a run compared with itself has no difference", () => {
  fc.assert(
    fc.property(run, (steps) => {
      expect(alignSteps([steps, steps, steps]).filter(({ differences }) => differences.length > 0)).toEqual([]);
    }),
  );
});

test("never throws, whatever the parents are", () => {
  const wild = fc.array(fc.tuple(fc.nat(5), fc.option(fc.nat(5), { nil: undefined }), fc.constantFrom("a", "b")));
  fc.assert(
    fc.property(fc.array(wild, { maxLength: 3 }), (runs) => {
      const steps = runs.map((drawn) => drawn.map(([id, parent, path]) => step(id, path, parent)));
      const rows = alignSteps(steps);
      for (const [column, all] of steps.entries())
        expect(rows.filter((row) => row.steps[column])).toHaveLength(all.length);
    }),
  );
});

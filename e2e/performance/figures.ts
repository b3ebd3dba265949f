import { expect, test } from "@playwright/test";
import { z } from "zod";

/** One measured figure; `goal` is the most that it should be, or with `least` the least. */
export const figureSchema = z.object({
  subject: z.string(),
  what: z.string(),
  value: z.number(),
  unit: z.string(),
  goal: z.number().nullable(),
  least: z.boolean(),
});
export type Figure = z.infer<typeof figureSchema>;

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const note = (figure: Figure): void => {
  test.info().annotations.push({ type: "figure", description: JSON.stringify(figure) });
};

/** Records a figure that the build depends on: the test fails when it exceeds its goal. */
export function keepBudget(subject: string, what: string, value: number, unit: string, goal: number): void {
  note({ subject, what, value, unit, goal, least: false });
  expect.soft(value, `${subject}, ${what} in ${unit}`).toBeLessThanOrEqual(goal);
}

/** Records a figure of wall-clock time: a busy machine changes it, so nothing depends on it. */
export function tell(subject: string, what: string, value: number, unit: string, goal: number | null = null): void {
  note({ subject, what, value, unit, goal, least: unit === "fps" });
}

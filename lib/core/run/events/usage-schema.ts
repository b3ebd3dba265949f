import * as z from "zod/mini";

const countSchema = z.int().check(z.nonnegative());

/** `Usage`. */
export const usageSchema = z.strictObject({
  input: countSchema,
  output: countSchema,
  cached: countSchema,
  reasoning: countSchema,
  calls: countSchema,
  cost: z.nullable(z.number().check(z.nonnegative())),
  isCostPartial: z.optional(z.literal(true)),
  estimated: z.boolean(),
});

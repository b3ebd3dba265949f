import * as z from "zod/mini";
import "./zod-locale";

export const wholeNumber = (min: number, max: number) => z.int().check(z.minimum(min), z.maximum(max));

/** Limits that every agent has, in the bounds of its fields. */
export const agentLimitSchemas = {
  max_steps: wholeNumber(1, 1000),
  max_retries: wholeNumber(0, 20),
  loop_threshold: wholeNumber(1, 100),
} as const;

/** Limits of every agent of one run, in place of the fields of the agents. */
export const runParametersSchema = z.strictObject({
  max_steps: z.optional(agentLimitSchemas.max_steps),
  max_retries: z.optional(agentLimitSchemas.max_retries),
  loop_threshold: z.optional(agentLimitSchemas.loop_threshold),
});
export type RunParameters = z.infer<typeof runParametersSchema>;

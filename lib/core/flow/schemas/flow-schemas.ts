import * as z from "zod/mini";
import type { Json } from "../flow";
import "./zod-locale";

export const jsonSchema: z.ZodMiniType<Json> = z.json();

/** The declared name rules: trimmed, not empty, no control characters, at most 200 characters. The DSL quotes the rest. */
export const nameSchema = z.string().check(
  z.minLength(1),
  z.maxLength(200),
  z.refine((name) => name === name.trim(), "must not begin or end with a space"),
  z.refine((name) => !/\p{Cc}/u.test(name), "must not contain control characters"),
);

/** `RunLimits`. */
export const runLimitsSchema = z.strictObject({
  max_seconds: z.optional(z.number().check(z.positive(), z.maximum(31_536_000))),
  max_tokens: z.optional(z.int().check(z.minimum(1))),
  max_cost: z.optional(z.number().check(z.positive())),
});

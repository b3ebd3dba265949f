import { z } from "zod";
import type { JsonSchema } from "./flow";

const typeSchema = z.enum(["object", "array", "string", "number", "integer", "boolean", "null"]);

/** The keywords whose form is checked before a run; a schema may hold any others. */
const schemaSchema: z.ZodType = z.union([
  z.boolean(),
  z.looseObject({
    type: z.union([typeSchema, z.array(typeSchema).min(1)]).optional(),
    properties: z
      .record(
        z.string(),
        z.lazy(() => schemaSchema),
      )
      .optional(),
    required: z.array(z.string()).optional(),
    items: z.lazy(() => schemaSchema).optional(),
    enum: z.array(z.json()).min(1).optional(),
    anyOf: z
      .array(z.lazy(() => schemaSchema))
      .min(1)
      .optional(),
    additionalProperties: z.lazy(() => schemaSchema).optional(),
  }),
]);

/** What is wrong with the form of a JSON Schema, in a sentence; null when nothing is. */
export function findSchemaMistake(schema: JsonSchema): string | null {
  const found = schemaSchema.safeParse(schema);
  if (found.success) return null;
  const deepest = deepestIssue(found.error.issues);
  const place = deepest.path.length > 0 ? `at ${deepest.path.map(String).join(".")} ` : "";
  return `${place}${deepest.message}. Expected e.g. { type: object, properties: { title: { type: string } }, required: [title] }.`;
}

/** Unions say that nothing fitted; what did not fit is further down. */
function deepestIssue([issue]: readonly z.core.$ZodIssue[]): { path: readonly PropertyKey[]; message: string } {
  if (!issue) return { path: [], message: "it is not valid" };
  if (issue.code !== "invalid_union") return issue;
  const inner = issue.errors.map((issues) => deepestIssue(issues)).toSorted((a, b) => b.path.length - a.path.length);
  const [first = { path: [], message: "it must be a mapping" }] = inner.filter(({ path }) => path.length > 0);
  return { path: [...issue.path, ...first.path], message: first.message };
}

import * as z from "zod/mini";
import type { JsonSchema } from "../flow/flow";
import { findSchemaHazard } from "../flow/schema-bounds";
import "../flow/schemas/zod-locale";

const typeSchema = z.enum(["object", "array", "string", "number", "integer", "boolean", "null"]);

/** The keywords whose form is checked before a run; a schema may contain any others. */
const schemaSchema: z.ZodMiniType = z.union([
  z.boolean(),
  z.looseObject({
    type: z.optional(z.union([typeSchema, z.array(typeSchema).check(z.minLength(1))])),
    properties: z.optional(
      z.record(
        z.string(),
        z.lazy(() => schemaSchema),
      ),
    ),
    required: z.optional(z.array(z.string())),
    items: z.optional(z.lazy(() => schemaSchema)),
    enum: z.optional(z.array(z.json()).check(z.minLength(1))),
    anyOf: z.optional(z.array(z.lazy(() => schemaSchema)).check(z.minLength(1))),
    additionalProperties: z.optional(z.lazy(() => schemaSchema)),
  }),
]);

/** The first mistake of a JSON Schema that is found without compiling it, as a sentence; null when there is none. */
export function findSchemaMistake(schema: JsonSchema): string | null {
  const hazard = findSchemaHazard(schema);
  if (hazard !== null) return hazard;
  const parsedSchema = schemaSchema.safeParse(schema);
  if (parsedSchema.success) return null;
  const deepest = deepestIssue(parsedSchema.error.issues);
  const location = deepest.path.length > 0 ? `at ${deepest.path.map(String).join(".")} ` : "";
  return `${location}${deepest.message}. Expected e.g. { type: object, properties: { title: { type: string } }, required: [title], additionalProperties: false }.`;
}

/** The issue of a union only reports that no option matched; the cause is nested deeper. */
function deepestIssue([issue]: readonly z.core.$ZodIssue[]): { path: readonly PropertyKey[]; message: string } {
  if (!issue) return { path: [], message: "it is not valid" };
  if (issue.code !== "invalid_union") return issue;
  const nestedIssues = issue.errors
    .map((issues) => deepestIssue(issues))
    .toSorted((a, b) => b.path.length - a.path.length);
  const [firstIssue = { path: [], message: "it must be a mapping" }] = nestedIssues.filter(
    ({ path }) => path.length > 0,
  );
  return { path: [...issue.path, ...firstIssue.path], message: firstIssue.message };
}

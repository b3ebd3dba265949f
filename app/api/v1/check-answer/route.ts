import { z } from "zod";
import type { JsonSchema } from "@/lib/core/flow/flow";
import { findSchemaHazard } from "@/lib/core/flow/schema-bounds";
import { compileAnswer } from "@/lib/core/run/plan/answer-schema";
import { AppError } from "@/lib/server/app-error";
import { readJson, route } from "@/lib/server/http/route";

/** A body is JSON already: what a schema holds needs no look that a deep one could overflow. */
const schemaSchema = z.custom<JsonSchema>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "expected a JSON Schema, which is an object",
);
const checkSchema = z.strictObject({ schema: schemaSchema, text: z.string() });

/** Whether a text fits a JSON Schema, as the engine reads answers. Keeps nothing. */
export const POST = route(async (_viewer, request) => {
  const { schema, text } = await readJson(request, checkSchema);
  const hazard = findSchemaHazard(schema);
  if (hazard !== null) throw new AppError("bad_request", `\`schema\`: ${hazard}`);
  const compiled = compileAnswer(schema);
  if (!compiled.ok) return { ok: false, message: `The schema cannot be used: ${compiled.message}` };
  const answer = compiled.read(text);
  return answer.ok ? { ok: true } : { ok: false, message: answer.message };
});

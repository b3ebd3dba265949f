import { findSchemaHazard } from "@/lib/core/flow/schema-bounds";
import { compileAnswer } from "@/lib/core/run/plan/answer-schema";
import { catalogOperations } from "@/lib/server/api/catalog-operations";
import { AppError } from "@/lib/server/app-error";
import { readJson, route } from "@/lib/server/http/route";

/** Whether a text fits a JSON Schema, as the engine reads answers. Keeps nothing. */
export const POST = route(async (_viewer, request) => {
  const { schema, text } = await readJson(request, catalogOperations.checkAnswer.body);
  const hazard = findSchemaHazard(schema);
  if (hazard !== null) throw new AppError("bad_request", `\`schema\`: ${hazard}`);
  const compiled = compileAnswer(schema);
  if (!compiled.ok) return { ok: false, message: `The schema cannot be used: ${compiled.message}` };
  const answer = compiled.read(text);
  return answer.ok ? { ok: true } : { ok: false, message: answer.message };
});

import { findSchemaHazard } from "@/lib/core/flow/schema-bounds";
import { catalogOperations } from "@/lib/server/api/catalog-operations";
import { AppError } from "@/lib/server/app-error";
import { requireTeam } from "@/lib/server/auth/viewer";
import { createAnswerPort } from "@/lib/server/cpu-worker/answer-port";
import { takeAnswerCheck } from "@/lib/server/http/rate-limit";
import { readJson, teamRoute } from "@/lib/server/http/route";

/** Whether a text fits a JSON Schema, as the engine reads answers. Keeps nothing. */
export const POST = teamRoute(async (viewer, request) => {
  requireTeam(viewer, "flows:read");
  takeAnswerCheck(viewer);
  const { schema, text } = await readJson(request, catalogOperations.checkAnswer.body);
  const hazard = findSchemaHazard(schema);
  if (hazard !== null) throw new AppError("bad_request", `\`schema\`: ${hazard}`);
  const answers = createAnswerPort(`check ${viewer.id}`, { deadlineMs: 2_000 });
  const mistake = await answers.findSchemaMistake(schema);
  if (mistake !== null) return { ok: false, message: `The schema cannot be used: ${mistake}` };
  const answer = await answers.read(schema, text);
  return answer.ok ? { ok: true } : { ok: false, message: answer.message };
});

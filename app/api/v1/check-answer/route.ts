import { z } from "zod";
import { compileAnswer } from "@/lib/core/run/answer";
import { readJson, route } from "@/lib/server/http";

const checkSchema = z.strictObject({ schema: z.record(z.string(), z.json()), text: z.string() });

/** Whether a text fits a JSON Schema, as the engine reads answers. Keeps nothing. */
export const POST = route(async (_viewer, request) => {
  const { schema, text } = await readJson(request, checkSchema);
  const compiled = compileAnswer(schema);
  if (!compiled.ok) return Response.json({ ok: false, message: `The schema cannot be used: ${compiled.message}` });
  const answer = compiled.read(text);
  return Response.json(answer.ok ? { ok: true } : { ok: false, message: answer.message });
});

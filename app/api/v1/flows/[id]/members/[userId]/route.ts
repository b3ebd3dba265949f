import { z } from "zod";
import { roleInputSchema } from "@/lib/server/auth/permissions";
import { readJson, route } from "@/lib/server/http/route";
import { setFlowRole } from "@/lib/server/teams/commands";

const changeSchema = z.strictObject({ role: roleInputSchema.nullable() });

/** Sets the role of a member in this flow; null: the role in the team holds again. */
export const PUT = route<{ id: string; userId: string }>(async (viewer, request, { id, userId }) => {
  await setFlowRole(viewer, id, userId, (await readJson(request, changeSchema)).role);
  return new Response(null, { status: 204 });
});

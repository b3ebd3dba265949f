import { z } from "zod";
import { readJson, route } from "@/lib/server/http/route";
import { deleteTeam, renameTeam } from "@/lib/server/teams/commands";

const nameSchema = z.strictObject({ name: z.string().max(200) });

export const PATCH = route<{ id: string }>(async (viewer, request, { id }) => {
  await renameTeam(viewer, id, (await readJson(request, nameSchema)).name);
  return new Response(null, { status: 204 });
});

/** For good; the body names the team, to confirm it. */
export const DELETE = route<{ id: string }>(async (viewer, request, { id }) => {
  await deleteTeam(viewer, id, (await readJson(request, nameSchema)).name);
  return new Response(null, { status: 204 });
});

import { z } from "zod";
import { readJson, route } from "@/lib/server/http/route";
import { createTeam } from "@/lib/server/teams/commands";
import { listTeams } from "@/lib/server/teams/queries";

const createSchema = z.strictObject({ name: z.string().max(200) });

export const GET = route(async (viewer) => ({ teams: await listTeams(viewer) }));

export const POST = route(async (viewer, request) => {
  const { name } = await readJson(request, createSchema);
  return Response.json(await createTeam(viewer, name), { status: 201 });
});

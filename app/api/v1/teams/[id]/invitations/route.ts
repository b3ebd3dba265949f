import { z } from "zod";
import { roleInputSchema } from "@/lib/server/auth/permissions";
import { narrowToTeam } from "@/lib/server/auth/viewer";
import { readJson, route } from "@/lib/server/http/route";
import { createInvitation, listInvitations } from "@/lib/server/teams/invitations";

const createSchema = z.strictObject({ email: z.email().max(320).nullish(), role: roleInputSchema });

export const GET = route<{ id: string }>(async (viewer, _, { id }) => ({
  invitations: await listInvitations(narrowToTeam(viewer, id)),
}));

export const POST = route<{ id: string }>(async (viewer, request, { id }) =>
  Response.json(await createInvitation(viewer, id, await readJson(request, createSchema)), { status: 201 }),
);

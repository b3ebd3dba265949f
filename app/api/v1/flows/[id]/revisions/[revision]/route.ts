import { z } from "zod";
import { getRevision, longestRevisionName, nameRevision } from "@/lib/server/flows/revisions";
import { readJson, route } from "@/lib/server/http/route";

const nameSchema = z.strictObject({ name: z.string().max(longestRevisionName) });

interface RevisionParams {
  id: string;
  revision: string;
}

export const GET = route<RevisionParams>((viewer, _, { id, revision }) => getRevision(viewer, id, revision));

export const PATCH = route<RevisionParams>(async (viewer, request, { id, revision }) => {
  const { name } = await readJson(request, nameSchema);
  await nameRevision(viewer, id, revision, name);
  return new Response(null, { status: 204 });
});

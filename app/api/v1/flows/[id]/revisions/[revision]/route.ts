import { flowOperations } from "@/lib/server/api/flow-operations";
import { getRevision, nameRevision } from "@/lib/server/flows/revisions";
import { readJson, route } from "@/lib/server/http/route";

interface RevisionParams {
  id: string;
  revision: string;
}

export const GET = route<RevisionParams>((viewer, _, { id, revision }) => getRevision(viewer, id, revision));

export const PATCH = route<RevisionParams>(async (viewer, request, { id, revision }) => {
  const { name } = await readJson(request, flowOperations.nameRevision.body);
  await nameRevision(viewer, id, revision, name);
  return new Response(null, { status: 204 });
});

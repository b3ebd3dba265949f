import { flowOperations } from "@/lib/server/api/flow-operations";
import { listRevisions } from "@/lib/server/flows/revisions";
import { readQuery, route } from "@/lib/server/http/route";

export const GET = route<{ id: string }>((viewer, request, { id }) =>
  listRevisions(viewer, id, readQuery(request, flowOperations.listRevisions.query).before),
);

import { stepOperations } from "@/lib/server/api/step-operations";
import { readQuery, route, toEventStream, toStreamReader } from "@/lib/server/http/route";
import { streamPublicEvents } from "@/lib/server/runs/read/event-stream";

/** The public stream of a run as server-sent events, from its beginning to its end. */
export const GET = route<{ id: string }>(async (viewer, request, { id }) => {
  const { only } = readQuery(request, stepOperations.followStream.query);
  return toEventStream(await streamPublicEvents(toStreamReader(viewer, request), id, only));
});

import { readEventNumber, route, toEventStream, toStreamReader } from "@/lib/server/http/route";
import { streamTrace } from "@/lib/server/runs/read/event-stream";

/** Server-sent batches that follow a snapshot: `id` is the number of a batch's last event, `Last-Event-ID` (or `?after=`) resumes after it. */
export const GET = route<{ id: string }>(async (viewer, request, { id }) =>
  toEventStream(await streamTrace(toStreamReader(viewer, request), id, readEventNumber(request))),
);

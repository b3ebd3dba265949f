import { readEventNumber, route, toEventStream, toStreamReader } from "@/lib/server/http/route";
import { streamRunEvents } from "@/lib/server/runs/read/event-stream";

/** Server-sent events of a run: `id` is the sequence, `Last-Event-ID` (or `?after=`) resumes after it. */
export const GET = route<{ id: string }>(async (viewer, request, { id }) =>
  toEventStream(await streamRunEvents(toStreamReader(viewer, request), id, readEventNumber(request))),
);

import { AppError } from "@/lib/server/app-error";
import { route, toEventStream } from "@/lib/server/http";
import { streamRunEvents } from "@/lib/server/runs/event-stream";

/** Server-sent events of a run: `id` is the sequence, `Last-Event-ID` (or `?after=`) resumes behind it. */
export const GET = route<{ id: string }>(async (viewer, request, { id }) => {
  const last = request.headers.get("last-event-id") ?? new URL(request.url).searchParams.get("after") ?? "0";
  if (!/^\d{1,12}$/.test(last))
    throw new AppError(
      "bad_request",
      `Expected the number of an event in Last-Event-ID, found "${last.slice(0, 40)}".`,
    );
  const stream = await streamRunEvents(viewer, id, Number(last), request.signal);
  return toEventStream(stream);
});

import { z } from "zod";
import { streamEventTypes } from "@/lib/core/run/events/public-stream";
import { readQuery, route, toEventStream, toStreamReader } from "@/lib/server/http/route";
import { streamPublicEvents } from "@/lib/server/runs/read/event-stream";

/** `?only=text,tool_call`: which events to tell; all of them without it. */
const querySchema = z.object({
  only: z
    .string()
    .transform((text) => text.split(",").filter((type) => type !== ""))
    .pipe(z.array(z.enum(streamEventTypes)))
    .optional(),
});

/** The public stream of a run as server-sent events, from its beginning to its end. */
export const GET = route<{ id: string }>(async (viewer, request, { id }) => {
  const { only } = readQuery(request, querySchema);
  return toEventStream(await streamPublicEvents(toStreamReader(viewer, request), id, only));
});

import { publicRoute, toEventStream } from "@/lib/server/http/route";
import { streamRunByLink } from "@/lib/server/share-links/visitor-stream";

/** Server-sent events of a run that a visitor has started: who works, and the answer as it is written. */
export const GET = publicRoute<{ token: string; id: string }>(async (request, { token, id }) =>
  toEventStream(await streamRunByLink(token, id, request)),
);

import { publicRoute, toJsonResponse } from "@/lib/server/http/route";
import { writeSharedRun } from "@/lib/server/share-links/visit";

/** A run file with the texts that the link shares. */
export const GET = publicRoute<{ token: string }>(async (_, { token }) =>
  toJsonResponse(await writeSharedRun(token), { "cache-control": "no-store" }),
);

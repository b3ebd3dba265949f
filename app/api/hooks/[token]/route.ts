import { publicRoute, readBytes } from "@/lib/server/http/route";
import { receiveWebhook } from "@/lib/server/webhooks/receive";

/** Largest body, in bytes: as large as the input of a run may be. */
const bodyLimit = 500_000;

export const POST = publicRoute<{ token: string }>(async (request, { token }) => {
  const body = await readBytes(request, bodyLimit);
  return Response.json(await receiveWebhook(token, { headers: request.headers, body }, Date.now()), { status: 202 });
});

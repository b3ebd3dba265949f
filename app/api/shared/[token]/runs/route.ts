import { z } from "zod";
import { takeRunOfAddress } from "@/lib/server/http/rate-limit";
import { publicRoute, readJson } from "@/lib/server/http/route";
import { startRunByLink } from "@/lib/server/share-links/visit";

const bodySchema = z.strictObject({ input: z.string().max(20_000) });

export const POST = publicRoute<{ token: string }>(async (request, { token }) => {
  takeRunOfAddress(request.headers);
  const { input } = await readJson(request, bodySchema);
  return Response.json(await startRunByLink(token, input), { status: 202 });
});

import { handleAuthRequest } from "@/lib/server/accounts/handle-auth-request";
import { publicRoute, withBoundedBody } from "@/lib/server/http/route";

/** Largest body, in bytes: the longest are those of passkeys. */
const bodyLimit = 100_000;

/** Signing up, in and out; better-auth authorises each of them. */
export const GET = publicRoute((request) => handleAuthRequest(request));

export const POST = publicRoute(async (request) => handleAuthRequest(await withBoundedBody(request, bodyLimit)));

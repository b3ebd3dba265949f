import { handleAuthRequest } from "@/lib/server/accounts/handle-auth-request";
import { publicRoute } from "@/lib/server/http/route";

/** Signing up, in and out; better-auth authorises each of them. */
export const GET = publicRoute((request) => handleAuthRequest(request));

export const POST = publicRoute((request) => handleAuthRequest(request));

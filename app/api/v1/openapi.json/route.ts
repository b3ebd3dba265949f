import { getOpenApi } from "@/lib/server/api/openapi";
import { publicRoute } from "@/lib/server/http/route";

/** The OpenAPI document of the API, for everyone: it holds nothing of this installation. */
export const GET = publicRoute(() => Response.json(getOpenApi()));

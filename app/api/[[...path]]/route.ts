import { AppError } from "@/lib/server/app-error";
import { route } from "@/lib/server/http/route";

/** Every address below /api that has no route of its own. */
export const GET = route((_viewer, request) => {
  throw new AppError("not_found", `The API has no address ${new URL(request.url).pathname.slice(0, 200)}.`);
});

export { GET as DELETE, GET as PATCH, GET as POST, GET as PUT };

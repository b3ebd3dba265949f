import { AppError, toErrorResponse } from "@/lib/server/app-error";
import { getHealth } from "@/lib/server/health";
import { admitRequest } from "@/lib/server/http/admit-request";

/** Whether this server can do its work: 200 `{status: "ok", …}`, else 503. */
export async function GET(request: Request): Promise<Response> {
  try {
    admitRequest(request.headers);
  } catch (error) {
    if (error instanceof AppError) return toErrorResponse(error);
    throw error;
  }
  const health = await getHealth();
  return Response.json(health, { status: health.status === "ok" ? 200 : 503 });
}

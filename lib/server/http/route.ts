import "server-only";
import { randomUUID } from "node:crypto";
import { AppError, toErrorResponse } from "../app-error";
import type { Viewer } from "../auth/viewer";
import { toDatabaseError } from "../db";
import { logger } from "../log/logger";
import { admitRequest } from "./admit-request";

type Handler<Params> = (viewer: Viewer, request: Request, params: Params) => Promise<Response>;

/** A route handler that authorises first and answers every error in the one form. */
export function route<Params = object>(handler: Handler<Params>) {
  return async (request: Request, context: { params: Promise<Params> }): Promise<Response> => {
    try {
      return await handler(admitRequest(request.headers), request, await context.params);
    } catch (error) {
      if (error instanceof AppError) return toErrorResponse(error);
      const { pathname } = new URL(request.url);
      const fault = toDatabaseError(error);
      if (fault) {
        logger.warn({ err: fault, path: pathname }, "request refused");
        return toErrorResponse(new AppError("unavailable", fault.message));
      }
      const id = randomUUID();
      logger.error({ err: error, id, path: pathname }, "request failed");
      return Response.json(
        {
          error: { code: "internal", message: `Something went wrong in the server (${id}). Its log has the details.` },
        },
        { status: 500 },
      );
    }
  };
}

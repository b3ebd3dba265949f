import "server-only";
import { z } from "zod";
import { AppError } from "../app-error";

/**
 * The refusal of a request for which something stored could not be read; null for every other error. What requests contain
 * is checked before, so that only stored values still fail a schema, or are no JSON.
 */
export const toUnreadableError = (error: unknown): AppError | null =>
  error instanceof z.core.$ZodError || (error instanceof SyntaxError && /\bJSON\b/.test(error.message))
    ? new AppError(
        "unreadable",
        "The stored record is damaged and cannot be read. Use another one, for example a new run. The log of the server has the reason.",
      )
    : null;

import "server-only";
import type { Problem } from "@/lib/core/flow/problem";
import { AppError } from "../app-error";

/** Throws AppError 400 with the problems that block a flow, where there are any. */
export function assertRunnable(blockers: readonly Problem[]): void {
  const [first, ...others] = blockers;
  if (!first) return;
  throw new AppError(
    "bad_request",
    `The flow cannot run yet: ${first.message}${others.length > 0 ? ` (and ${others.length} more)` : ""}`,
    {
      problems: blockers.map(({ code, message, provider }) => ({
        code,
        message,
        ...(provider !== undefined && { provider }),
      })),
    },
  );
}

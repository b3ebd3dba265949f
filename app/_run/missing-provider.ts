import { isJsonObject } from "@/lib/core/flow/parse-json";
import { RequestError } from "../_ui/loading/fetch-json";

/** The id of the first provider without a key, when nothing else keeps the flow from running; null: connecting does not help. */
export function findMissingProvider(error: unknown): string | null {
  const details = error instanceof RequestError ? error.details : undefined;
  const problems = isJsonObject(details) && Array.isArray(details.problems) ? details.problems : [];
  const providers = problems.map((problem) =>
    isJsonObject(problem) && problem.code === "missing-key" && typeof problem.provider === "string"
      ? problem.provider
      : null,
  );
  return providers.includes(null) ? null : (providers[0] ?? null);
}

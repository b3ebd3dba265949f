import "server-only";
import type { AnswerPort } from "@/lib/core/run/ports/answers";
import { runTask } from "./run-task";
import { isCostError } from "./worker-pool";

/** Longer than any check of a schema and an answer that people write. */
const defaultDeadlineMs = 5_000;

/** Reads answers in another thread, with a deadline. `client` takes turns with others, e.g. a team. */
export function createAnswerPort(
  client: string,
  { deadlineMs = defaultDeadlineMs }: { deadlineMs?: number } = {},
): AnswerPort {
  // A run must not fail because others of its team are busy.
  const options = { client, deadlineMs, isPatient: true };
  return {
    findSchemaMistake: (schema) => runTask("check-schema", { schema }, options).catch(toMessage),
    read: (schema, text) =>
      runTask("read-answer", { schema, text }, options).catch((error: unknown) => ({
        ok: false,
        message: toMessage(error),
      })),
  };
}

/** A sentence about an answer or a schema that could not be checked. Throws what neither of them caused. */
function toMessage(error: unknown): string {
  if (isCostError(error)) return `Checking it took too long. Expected a smaller schema, or a shorter answer.`;
  if (!(error instanceof Error)) throw error;
  return `It cannot be checked: ${error.message}`;
}

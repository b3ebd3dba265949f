import type { HumanInputAnswer, RunError } from "../events/events";
import type { HumanQuestion } from "../ports/human-input";
import { type CancelScope, ScopeStop } from "../scope/cancel-scope";
import type { Engine } from "../scope/engine";

export type HumanInputResult =
  | { ok: true; answer: HumanInputAnswer }
  | { ok: false; stop: ScopeStop }
  | { ok: false; error: RunError };

/** Requests human input for a node; siblings continue meanwhile. A question with choices is repeated until one of them is chosen. */
export async function requestHumanInput(
  { context, recorder }: Engine,
  parentScope: CancelScope,
  { node, path, ...request }: HumanQuestion,
  timeoutSeconds?: number,
): Promise<HumanInputResult> {
  const { humanInput } = context;
  if (!humanInput) {
    const message = "No human input is available here. Start the run in the app, or on an interactive terminal.";
    return { ok: false, error: { code: "rejected", message } };
  }
  const scope = parentScope.open();
  if (timeoutSeconds !== undefined) {
    const message = `No answer was received within ${timeoutSeconds} s.`;
    scope.stopAfter(timeoutSeconds, new ScopeStop("TIMEOUT", { code: "timeout", message, path }), context.sleep);
  }
  try {
    for (;;) {
      const question = recorder.requestAnswer(node, request);
      await recorder.settled();
      const answer = await scope.guard(humanInput.ask({ ...request, node, path, question }, scope.signal));
      if (answer instanceof ScopeStop) return { ok: false, stop: answer };
      recorder.giveAnswer(node, answer);
      const isValid =
        request.choices === undefined || answer.decision === "rejected" || request.choices.includes(answer.text ?? "");
      if (isValid) return { ok: true, answer };
    }
  } finally {
    scope.close();
  }
}

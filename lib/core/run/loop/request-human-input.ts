import type { HumanInputAnswer } from "../events/events";
import type { HumanQuestion } from "../ports/human-input";
import { type CancelScope, ScopeStop } from "../scope/cancel-scope";
import type { Engine } from "../scope/engine";

/**
 * Requests human input for a node; siblings continue meanwhile. A question with choices is repeated until one of them is
 * chosen. Resolves with the answer once it is recorded, or with the reason why there is none. A question of an earlier
 * executor is continued: with its number, its answer, and the rest of its time.
 */
export async function requestHumanInput(
  { context, recorder, options: { journal, pause } }: Engine,
  parentScope: CancelScope,
  { node, path, ...request }: HumanQuestion,
  timeoutSeconds?: number,
): Promise<HumanInputAnswer | ScopeStop> {
  const { humanInput } = context;
  if (!humanInput) {
    const message = "No human input is available here. Start the run in the app, or on an interactive terminal.";
    return new ScopeStop("FAILED", { code: "rejected", message });
  }
  const scope = parentScope.open();
  let asked = journal?.takeQuestion(path, request.type);
  if (timeoutSeconds !== undefined) {
    const message = `No answer was received within ${timeoutSeconds} s.`;
    const passedMs = asked ? context.now() - asked.firstAt : 0;
    const restSeconds = Math.max(timeoutSeconds - passedMs / 1000, 0);
    scope.stopAfter(restSeconds, { code: "timeout", message, path }, context.sleep);
  }
  try {
    for (;;) {
      const question = asked?.number ?? recorder.requestAnswer(node, request);
      await recorder.settled();
      const ask = () => scope.guard(humanInput.ask({ ...request, node, path, question }, scope.signal));
      const answer = asked?.answer ?? (await (pause ? pause.ask(ask) : ask()));
      if (answer instanceof ScopeStop) return answer;
      if (!asked?.answer) {
        recorder.giveAnswer(node, answer);
        // What the answer allows must not happen before the answer is stored.
        await recorder.settled();
      }
      asked = undefined;
      const isValid = answer.decision === "rejected" || request.choices?.includes(answer.text ?? "") !== false;
      if (isValid) return answer;
    }
  } finally {
    scope.close();
  }
}

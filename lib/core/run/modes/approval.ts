import { answererWords } from "../events/answerer-words";
import type { NodeResult } from "../events/event-recorder";
import type { HumanInputAnswer } from "../events/events";
import { findEditedText } from "../journal/journal";
import { describeChanges, listMessages } from "../loop/describe-changes";
import { requestHumanInput } from "../loop/request-human-input";
import type { PlanNodeOf } from "../plan/plan-node";
import { ScopeStop } from "../scope/cancel-scope";
import type { NodeRun } from "../scope/engine";
import { toFailure, toStopped, toSuccess } from "../scope/node-result";
import { recordNamedNode } from "../scope/record-node";

/**
 * Shows the text to a user: approved, it is the output, maybe edited; rejected, it is kept, and the node fails. In a fork
 * whose changes withdrew an approval, the text that was approved is shown again, and cannot be edited. Messages that wait for
 * agents are shown, too; one that comes meanwhile is asked about before the run goes on.
 */
export const runApproval = (run: NodeRun<PlanNodeOf<"approval">>): Promise<NodeResult> =>
  recordNamedNode(run, async ({ path, scope }, node) => {
    const { engine, input } = run;
    const { name, message: text, timeout_seconds: timeoutSeconds } = run.planNode;
    const step = engine.options.journal?.find(path);
    const isFixed = step?.questions.some(({ isWithdrawn }) => isWithdrawn) ?? false;
    let shown = (isFixed && step && findEditedText(step, "approval")?.text) || input;
    const fixed = isFixed ? { fixed: true } : {};
    const changes = describeChanges(engine, path);
    const reason = text === "" ? `May this go on? (${name})` : text;
    // What a question of an earlier executor showed, which is answered first.
    let earlier = step?.questions.findLast(({ request, isWithdrawn }) => request.type === "approval" && !isWithdrawn);
    let note = "";
    for (;;) {
      const message = `${reason}${note}${changes}${introduce(listMessages(engine))}`;
      const request = { type: "approval", node, path, message, text: shown, ...fixed } as const;
      const seen = earlier?.request.message ?? message;
      earlier = undefined;
      const answer = await requestHumanInput(engine, scope, request, timeoutSeconds);
      if (answer instanceof ScopeStop) return { ...toStopped(answer), output: shown };
      const { text: editedText = shown } = answer;
      if (answer.decision === "rejected") return { ...toRejection(name, answer), output: shown };
      const hasUnseen = listMessages(engine).some((unseen) => !seen.includes(unseen));
      const isUnfit = isFixed && editedText !== shown;
      if (!hasUnseen && !isUnfit) return toSuccess(editedText);
      note = hasUnseen
        ? "\n\nThis is asked again, because a message came meanwhile."
        : `\n\nThe text cannot be changed here: steps after "${name}" are reused. Approve it as it is, or reject it.`;
      if (!isFixed) shown = editedText;
    }
  });

function toRejection(name: string, { by: user, reason }: HumanInputAnswer): NodeResult {
  const explanation = reason ? `: ${reason}` : ".";
  return toFailure({ code: "rejected", message: `${user}${answererWords.rejected}"${name}"${explanation}` });
}

const introduce = (messages: readonly string[]): string =>
  messages.length === 0
    ? ""
    : ["\n\nAgents of this run get these messages next, which this approval covers:", ...messages].join("\n\n");

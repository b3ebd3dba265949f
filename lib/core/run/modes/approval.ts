import type { NodeResult } from "../events/event-recorder";
import { requestHumanInput } from "../loop/request-human-input";
import type { ApprovalPlanNode } from "../plan/plan-node";
import { childPath, type Engine, type RunPosition } from "../scope/engine";
import { toFailure, toStopped, toSuccess } from "../scope/node-result";
import { recordNode } from "../scope/record-node";

/** Shows the text to a user: approved, it is the output, maybe edited; rejected, it is kept, and the node fails. */
export function runApproval(
  engine: Engine,
  approval: ApprovalPlanNode,
  position: RunPosition,
  input: string,
): Promise<NodeResult> {
  const { name } = approval;
  const path = childPath(position, name);
  return recordNode(engine, { parent: position.parent, path, kind: "approval", name, input }, async (id) => {
    await engine.recorder.settled();
    const message = approval.message === "" ? `May this go on? (${name})` : approval.message;
    const request = { type: "approval", node: id, path, message, text: input } as const;
    const result = await requestHumanInput(engine, position.scope, request, approval.timeoutSeconds);
    if (!result.ok) return { ...("stop" in result ? toStopped(result.stop) : toFailure(result.error)), output: input };
    const { decision, by: user, reason, text } = result.answer;
    if (decision === "approved") return toSuccess(text ?? input);
    const explanation = reason ? `: ${reason}` : ".";
    return { ...toFailure({ code: "rejected", message: `${user} rejected "${name}"${explanation}` }), output: input };
  });
}

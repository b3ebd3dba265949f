import type { NodeResult } from "../events/event-recorder";
import type { ApprovalPlanNode } from "../plan/plan-node";
import { requestHumanInput } from "../ports/human-input";
import { childPath, type Engine, type RunPosition, recordNode, toFailure, toStopped, toSuccess } from "../scope/engine";

/** Shows the text to a person: approved it goes on, perhaps in other words; rejected it ends here, with the reason. */
export function runApproval(
  engine: Engine,
  stage: ApprovalPlanNode,
  place: RunPosition,
  input: string,
): Promise<NodeResult> {
  const { name } = stage;
  const path = childPath(place, name);
  return recordNode(engine, { parent: place.parent, path, kind: "approval", name, input }, async (id) => {
    await engine.recorder.settled();
    const message = stage.message === "" ? `May this go on? (${name})` : stage.message;
    const asked = { type: "approval", node: id, path, message, text: input } as const;
    const found = await requestHumanInput(engine, place.scope, asked, stage.timeoutSeconds);
    if (!found.ok) return { ...("stop" in found ? toStopped(found.stop) : toFailure(found.error)), output: input };
    const { decision, by, reason, text } = found.answer;
    if (decision === "approved") return toSuccess(text ?? input);
    const why = reason ? `: ${reason}` : ".";
    return { ...toFailure({ code: "rejected", message: `${by} said no at "${name}"${why}` }), output: input };
  });
}

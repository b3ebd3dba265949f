import type { NodeResult } from "../events/event-recorder";
import type { PlanNodeOf } from "../plan/plan-node";
import type { NodeRun } from "../scope/engine";
import { ExpenseTotal, toParentOutcome } from "../scope/node-result";

/** Runs members one after another, each on the output of the one before. A failure ends it and keeps the last output. */
export async function runSerial({
  engine,
  planNode,
  position,
  input,
}: NodeRun<PlanNodeOf<"serial">>): Promise<NodeResult> {
  const total = new ExpenseTotal();
  let [text, lastOutput] = [input, ""];
  let value: NodeResult["value"];
  for (const member of planNode.members) {
    const result = await engine.runNode(member, position, text);
    total.add(result);
    if (result.output !== "") lastOutput = result.output;
    if (result.status !== "SUCCESS") return { ...toParentOutcome(position, result), output: lastOutput, ...total };
    text = result.output;
    value = result.value;
  }
  return { status: "SUCCESS", output: text, ...total, ...(value !== undefined && { value }) };
}

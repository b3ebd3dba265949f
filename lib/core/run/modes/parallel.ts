import { keyNames } from "../../flow/node-key";
import type { NodeResult } from "../events/event-recorder";
import type { PlanNode, PlanNodeOf } from "../plan/plan-node";
import { ScopeStop } from "../scope/cancel-scope";
import type { Engine, NodeRun, RunPosition } from "../scope/engine";
import { ExpenseTotal, toParentOutcome, toStopped } from "../scope/node-result";

/**
 * Runs members concurrently on the same input; their outputs are joined in declared order. The first failure cancels the
 * others, unless the group keeps going; all outputs until then are kept.
 */
export async function runParallel({
  engine,
  planNode: { members, separator, keepGoing },
  position,
  input,
}: NodeRun<PlanNodeOf<"parallel">>): Promise<NodeResult> {
  const scope = position.scope.open();
  const memberPosition = { ...position, scope };
  const failures: NodeResult[] = [];
  let outputUnits = 0;
  const runMember = async (member: PlanNode): Promise<NodeResult> => {
    const result = await engine.runNode(member, memberPosition, input);
    outputUnits += result.output.length + separator.length;
    if (outputUnits > maxOutputUnits) scope.stopBecause(tooLongOutput);
    if (!position.scope.stop && (result.status === "FAILED" || (result.status !== "SUCCESS" && !scope.stop)))
      failures.push(result);
    if (failures.length > 0 && !keepGoing) scope.stopBecause(toSiblingStop(failures));
    return result;
  };
  const results = await Promise.all(members.map(runMember));
  scope.close();
  if (outputUnits > maxOutputUnits && !position.scope.stop)
    return { ...toStopped(tooLongOutput), ...sumExpenses(results) };

  const total = sumExpenses(results);
  const failure = failures[0] ?? results.find((result) => result.status !== "SUCCESS");
  const toleratesFailures = keepGoing && !position.scope.stop && failures.length < results.length;
  if (!failure || toleratesFailures) {
    const successes = results.filter((result) => result.status === "SUCCESS").map((result) => result.output);
    return { status: "SUCCESS", output: await joinOutputs(engine, position, successes, separator), ...total };
  }
  const output = results.flatMap((result) => (result.output === "" ? [] : [result.output])).join(separator);
  return {
    ...toParentOutcome(position, failure),
    ...(failures.length > 1 && toJointError(failures)),
    output,
    ...total,
  };
}

/** Longest outputs of all members of one group together, in UTF-16 units: all of them are in memory until the last has ended. */
const maxOutputUnits = 50_000_000;

const tooLongOutput = new ScopeStop("FAILED", {
  code: "limit",
  message: `Expected outputs of at most ${maxOutputUnits} characters from all members of a group together, found more. Split the group, or ask its members for shorter answers.`,
});

function sumExpenses(results: readonly NodeResult[]): ExpenseTotal {
  const total = new ExpenseTotal();
  for (const result of results) total.add(result);
  return total;
}

/** The members' outputs as one text: by the program's function for this group, or with the separator. */
async function joinOutputs(
  { options: { aggregate = {} } }: Engine,
  { path }: RunPosition,
  outputs: readonly string[],
  separator: string,
): Promise<string> {
  const name = keyNames(path).at(-1);
  const join = name !== undefined && Object.hasOwn(aggregate, name) ? aggregate[name] : undefined;
  return join ? join(outputs) : outputs.join(separator);
}

function toSiblingStop([failure]: readonly NodeResult[]): ScopeStop {
  const message = `Cancelled because "${failure?.error?.path ?? "another member"}" failed.`;
  return new ScopeStop("CANCELLED", { code: "cancelled", message });
}

/** The error of members that failed at the same moment: its message names all of them; the first gives code and path. */
function toJointError(failures: readonly NodeResult[]): Pick<NodeResult, "error"> {
  const errors = failures.flatMap(({ error }) => error ?? []);
  const message = errors.map(({ path, message }) => `${path}: ${message}`).join("; ");
  const [error] = errors;
  return error ? { error: { ...error, message } } : {};
}

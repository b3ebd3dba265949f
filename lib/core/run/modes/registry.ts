import { keyNames } from "../../flow/node-key";
import type { NodeResult } from "../events/event-recorder";
import { addUsage, noUsage } from "../events/usage";
import { runAgent } from "../loop/run-agent";
import { type ContainerPlanNode, type NamedPlanNode, nameOfPlanNode, type PlanNode } from "../plan/plan-node";
import {
  childPath,
  type Engine,
  positionInside,
  type RunPosition,
  recordNode,
  toParentOutcome,
  toStopped,
} from "../scope/engine";
import { ScopeStop } from "../scope/scope";
import { runApproval } from "./approval";
import { runBranch } from "./branch";
import { runHandoff } from "./handoff";
import { runLoop } from "./loop";
import { runOrchestrate } from "./orchestrate";
import { runRouter } from "./router";
import { runTeam } from "./team";

/** Runs a part of a topology on an input text; what it gives is the input of what follows. Starts nothing once stopped. */
export function runNode(engine: Engine, stage: PlanNode, place: RunPosition, input: string): Promise<NodeResult> {
  if (place.scope.stop) return Promise.resolve(toStopped(place.scope.stop));
  switch (stage.type) {
    case "serial":
      return runSerial(engine, stage.members, place, input);
    case "parallel":
      return runParallel(engine, stage, place, input);
    case "handoff":
      return runHandoff(engine, stage, place, input);
    case "team":
      return runTeam(engine, stage, place, input);
    case "orchestrate":
      return runOrchestrate(engine, stage, place, input);
    default:
      return runNamed(engine, stage, place, input);
  }
}

/** Runs a part that has a name, and keeps what it said for conditions and instructions further on. */
export async function runNamed(
  engine: Engine,
  stage: NamedPlanNode,
  place: RunPosition,
  input: string,
): Promise<NodeResult> {
  const result = await perform(engine, stage, place, input);
  if (result.status === "SUCCESS") engine.outputs.set(nameOfPlanNode(stage), result.value ?? result.output);
  return result;
}

function perform(engine: Engine, stage: NamedPlanNode, place: RunPosition, input: string): Promise<NodeResult> {
  switch (stage.type) {
    case "agent":
      return runAgent(engine, place, { planNode: stage, path: childPath(place, stage.agent.name), input });
    case "group":
    case "swarm":
      return runContainer(engine, stage, place, input);
    case "branch":
      return runBranch(engine, stage, place, input);
    case "router":
      return runRouter(engine, stage, place, input);
    case "loop":
      return runLoop(engine, stage, place, input);
    case "approval":
      return runApproval(engine, stage, place, input);
  }
}

/** A named group, or a nested swarm, which knows nothing of what was said before the run. */
function runContainer(
  engine: Engine,
  stage: ContainerPlanNode,
  place: RunPosition,
  input: string,
): Promise<NodeResult> {
  const { type: kind, name, body } = stage;
  const path = childPath(place, name);
  return recordNode(engine, { parent: place.parent, path, kind, name, input }, async (id) => {
    // Also lets the call stack end here, so that deep nesting cannot overflow it.
    await engine.recorder.settled();
    const history = kind === "swarm" ? [] : place.history;
    const result = await runNode(engine, body, { ...positionInside(place, id, path), history }, input);
    return kind === "group"
      ? { ...result, metadata: { order: body.type === "parallel" ? "parallel" : "serial" } }
      : result;
  });
}

/** One after another, each on the answer before it. A failure ends it; the last answer until then is kept. */
async function runSerial(
  engine: Engine,
  members: readonly PlanNode[],
  place: RunPosition,
  input: string,
): Promise<NodeResult> {
  let [text, kept, usage, simulated] = [input, "", noUsage, false];
  let value: NodeResult["value"];
  for (const member of members) {
    const result = await runNode(engine, member, place, text);
    usage = addUsage(usage, result.usage);
    simulated ||= result.simulated;
    kept = result.output === "" ? kept : result.output;
    if (result.status !== "SUCCESS") return { ...toParentOutcome(place, result), output: kept, usage, simulated };
    text = result.output;
    value = result.value;
  }
  return { status: "SUCCESS", output: text, usage, simulated, ...(value !== undefined && { value }) };
}

/**
 * All at once on the same input; the answers are joined in written order, whatever ends first. The first failure cancels
 * the others, unless the group keeps going; what they all said until then is kept.
 */
async function runParallel(
  engine: Engine,
  { members, separator, keepGoing }: Extract<PlanNode, { type: "parallel" }>,
  place: RunPosition,
  input: string,
): Promise<NodeResult> {
  const scope = place.scope.open();
  const inner = { ...place, scope };
  const failures: NodeResult[] = [];
  const runMember = async (member: PlanNode): Promise<NodeResult> => {
    const result = await runNode(engine, member, inner, input);
    if (!place.scope.stop && (result.status === "FAILED" || (result.status !== "SUCCESS" && !scope.stop)))
      failures.push(result);
    if (failures.length > 0 && !keepGoing) scope.stopBecause(toSiblingStop(failures));
    return result;
  };
  const results = await Promise.all(members.map(runMember));
  scope.close();

  let [usage, simulated] = [noUsage, false];
  for (const result of results) {
    usage = addUsage(usage, result.usage);
    simulated ||= result.simulated;
  }
  const broken = failures[0] ?? results.find((result) => result.status !== "SUCCESS");
  if (broken && keepGoing && !place.scope.stop && failures.length < results.length) {
    const whole = results.filter((result) => result.status === "SUCCESS").map((result) => result.output);
    return { status: "SUCCESS", output: await joinAnswers(engine, place, whole, separator), usage, simulated };
  }
  const outputs = results.map((result) => result.output);
  if (!broken)
    return { status: "SUCCESS", output: await joinAnswers(engine, place, outputs, separator), usage, simulated };
  const output = outputs.filter((text) => text !== "").join(separator);
  return {
    ...toParentOutcome(place, broken),
    ...(failures.length > 1 && toJointError(failures)),
    output,
    usage,
    simulated,
  };
}

/** The members' answers as one text: by the program's own function for this group, or with the separator between. */
async function joinAnswers(
  { options }: Engine,
  { path }: RunPosition,
  outputs: readonly string[],
  separator: string,
): Promise<string> {
  const name = options.aggregate && keyNames(path).at(-1);
  const aggregate =
    name !== undefined && options.aggregate && Object.hasOwn(options.aggregate, name)
      ? options.aggregate[name]
      : undefined;
  return aggregate ? aggregate(outputs) : outputs.join(separator);
}

function toSiblingStop([first]: readonly NodeResult[]): ScopeStop {
  const message = `Cancelled because "${first?.error?.path ?? "another member"}" failed.`;
  return new ScopeStop("CANCELLED", { code: "cancelled", message });
}

/** The error of members that failed in the same moment: all of them are named, the first gives code and path. */
function toJointError(failures: readonly NodeResult[]): Pick<NodeResult, "error"> {
  const errors = failures.map(({ error }) => error).filter((error) => error !== undefined);
  const message = errors.map(({ path, message }) => `${path}: ${message}`).join("; ");
  const [first] = errors;
  return first ? { error: { ...first, message } } : {};
}

import { nodeKey } from "../flow/keys";
import { type Engine, type Place, runStep, toStopped } from "./engine";
import type { StepResult } from "./recorder";
import type { ContainerStage, Stage } from "./resolve-flow";
import { runAgent } from "./run-agent";
import { Stop } from "./scope";
import { addUsage, noUsage } from "./usage";

/** Runs a part of a topology on an input text; what it gives is the input of what follows. Starts nothing once stopped. */
export function runStage(engine: Engine, stage: Stage, place: Place, input: string): Promise<StepResult> {
  if (place.scope.stop) return Promise.resolve(toStopped(place.scope.stop));
  switch (stage.type) {
    case "agent":
      return runAgent(engine, place, { agent: stage.agent, key: nodeKey(place.key, stage.agent.name), input });
    case "group":
    case "swarm":
      return runContainer(engine, stage, place, input);
    case "serial":
      return runSerial(engine, stage.members, place, input);
    case "parallel":
      return runParallel(engine, stage, place, input);
  }
}

/** A named group, or a nested swarm, which knows nothing of what was said before the run. */
function runContainer(engine: Engine, stage: ContainerStage, place: Place, input: string): Promise<StepResult> {
  const { type: kind, name, body } = stage;
  const key = nodeKey(place.key, name);
  return runStep(engine, { parent: place.parent, path: key, kind, name, input }, async (id) => {
    // Also lets the call stack end here, so that deep nesting cannot overflow it.
    await engine.recorder.settled();
    const history = kind === "swarm" ? [] : place.history;
    return runStage(engine, body, { ...place, parent: id, key, history }, input);
  });
}

/** One after another, each on the answer before it. A failure ends it; the last answer until then is kept. */
async function runSerial(engine: Engine, members: readonly Stage[], place: Place, input: string): Promise<StepResult> {
  let [text, kept, usage, simulated] = [input, "", noUsage, false];
  for (const member of members) {
    const result = await runStage(engine, member, place, text);
    usage = addUsage(usage, result.usage);
    simulated ||= result.simulated;
    kept = result.output === "" ? kept : result.output;
    if (result.status !== "SUCCESS") return { ...toOwnEnd(place, result), output: kept, usage, simulated };
    text = result.output;
  }
  return { status: "SUCCESS", output: text, usage, simulated };
}

/**
 * All at once on the same input; the answers are joined in written order, whatever ends first. The first failure cancels
 * the others; what they all said until then is kept.
 */
async function runParallel(
  engine: Engine,
  { members, separator }: Extract<Stage, { type: "parallel" }>,
  place: Place,
  input: string,
): Promise<StepResult> {
  const scope = place.scope.open();
  const inner = { ...place, scope };
  const failures: StepResult[] = [];
  const runMember = async (member: Stage): Promise<StepResult> => {
    const result = await runStage(engine, member, inner, input);
    if (result.status === "FAILED" || (result.status !== "SUCCESS" && !scope.stop)) failures.push(result);
    if (failures.length > 0) scope.stopBecause(toSiblingStop(failures));
    return result;
  };
  const results = await Promise.all(members.map(runMember));
  scope.close();

  let [usage, simulated] = [noUsage, false];
  for (const result of results) {
    usage = addUsage(usage, result.usage);
    simulated ||= result.simulated;
  }
  const outputs = results.map((result) => result.output);
  const broken = failures[0] ?? results.find((result) => result.status !== "SUCCESS");
  if (!broken) return { status: "SUCCESS", output: outputs.join(separator), usage, simulated };
  const output = outputs.filter((text) => text !== "").join(separator);
  return { ...toOwnEnd(place, broken), ...(failures.length > 1 && toJointError(failures)), output, usage, simulated };
}

/** How something ends whose member ended badly. A time limit of the member alone is a failure above it. */
const toOwnEnd = ({ scope }: Place, { status, error }: StepResult): Pick<StepResult, "status" | "error"> => ({
  status: scope.stop ? status : "FAILED",
  error,
});

function toSiblingStop([first]: readonly StepResult[]): Stop {
  const message = `Cancelled because "${first?.error?.path ?? "another member"}" failed.`;
  return new Stop("CANCELLED", { code: "cancelled", message });
}

/** The error of members that failed in the same moment: all of them are named, the first gives code and path. */
function toJointError(failures: readonly StepResult[]): Pick<StepResult, "error"> {
  const errors = failures.map(({ error }) => error).filter((error) => error !== undefined);
  const message = errors.map(({ path, message }) => `${path}: ${message}`).join("; ");
  const [first] = errors;
  return first ? { error: { ...first, message } } : {};
}

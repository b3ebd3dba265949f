import type { Flow, Json } from "../../flow/flow";
import { nodeKey } from "../../flow/node-key";
import type { RunParameters } from "../../flow/schemas/run-parameters";
import type { Agent } from "../../kinds/agent";
import type { EventRecorder, NodeResult } from "../events/event-recorder";
import type { Message } from "../events/messages";
import type { PlanNode } from "../plan/plan-node";
import type { RunContext } from "../ports/run-context";
import type { RunOptions } from "../ports/run-options";
import type { Budget } from "./budget";
import type { CallEstimator } from "./call-estimator";
import type { CancelScope } from "./cancel-scope";

/** What all nodes of one run share. */
export interface Engine {
  flow: Flow;
  context: RunContext;
  options: RunOptions;
  /** Limits of all agents of the run. */
  parameters: RunParameters;
  recorder: EventRecorder;
  budget: Budget;
  estimator: CallEstimator;
  /** Of the whole run. */
  scope: CancelScope;
  /** Outputs of finished nodes by declared name; of several with one name that of the one that ended last. */
  outputs: Map<string, Json>;
  /** Runs a plan node on an input; its output is the input of what follows. Starts nothing once the position's scope is stopped. */
  runNode(planNode: PlanNode, position: RunPosition, input: string): Promise<NodeResult>;
}

/** Outputs as they were when the node of that path began, whichever process began it; of a node that begins now those of now. */
export const outputsAtStart = (
  { outputs, options: { journal } }: Pick<Engine, "outputs" | "options">,
  path: string,
): ReadonlyMap<string, Json> => {
  const step = journal?.find(path);
  return step && journal ? journal.outputsBefore(step.startSeq) : outputs;
};

/** The agent with the limits of the run in place of its own. */
export const withParameters = ({ parameters }: Pick<Engine, "parameters">, agent: Agent): Agent => ({
  ...agent,
  max_steps: parameters.max_steps ?? agent.max_steps,
  max_retries: parameters.max_retries ?? agent.max_retries,
  loop_threshold: parameters.loop_threshold ?? agent.loop_threshold,
});

/** One run of a plan node at a position, on an input. */
export interface NodeRun<Node extends PlanNode = PlanNode> {
  engine: Engine;
  planNode: Node;
  position: RunPosition;
  input: string;
}

/** Where in a run a node starts: its parent, its path, its conversation history, and the scope that can stop it. */
export interface RunPosition {
  /** Id of the parent node. */
  parent: number;
  /** Path of the parent node; the root's is empty. */
  path: string;
  /** Follows the name of the next node: distinguishes what runs more than once. */
  pathSuffix?: string | undefined;
  /** Messages from before the run, for every agent at this position. Empty inside a nested swarm. */
  history: readonly Message[];
  scope: CancelScope;
  /** Inside a loop: the current round. */
  loopRound?: { number: number; item?: Json };
}

/** The path of a node called `name` at this position. */
export const childPath = ({ path, pathSuffix = "" }: RunPosition, name: string): string =>
  nodeKey(path, name) + pathSuffix;

/** The position inside the node `id` of that path. */
export const positionInside = (position: RunPosition, id: number, path: string): RunPosition => ({
  ...position,
  parent: id,
  path,
  pathSuffix: undefined,
});

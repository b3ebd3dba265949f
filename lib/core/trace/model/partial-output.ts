import { groupBy } from "../../flow/group-by";
import { isContainerKind } from "../../run/events/run-node-traits";
import type { RunNode, RunState } from "./run-state";

/** Between the outputs of steps that ran at the same time, as between those of a group that declares no separator. */
export const partialOutputSeparator = "\n\n";

/** One of several steps at the same time with those that followed it, and the steps whose output these leave. */
interface ConcurrentLane {
  last: RunNode;
  kept: readonly RunNode[];
}

const follows = (earlier: RunNode, step: RunNode): boolean =>
  earlier.endedAt !== undefined && step.startedAt >= earlier.endedAt && step.input.text === earlier.output.text;

const isConcurrent = (earlier: RunNode, step: RunNode): boolean =>
  step.startedAt <= (earlier.endedAt ?? Number.POSITIVE_INFINITY) && step.input.text === earlier.input.text;

const hasOutput = ({ output }: RunNode): boolean => output.text !== "";

/** Of siblings in the order of their start, the steps whose output they leave. */
function findLastSteps(
  siblings: readonly RunNode[],
  keptOf: (step: RunNode) => readonly RunNode[],
): readonly RunNode[] {
  let lastSteps: readonly RunNode[] = [];
  let lanes: ConcurrentLane[] = [];
  const settle = (): void => {
    const steps = lanes.flatMap((lane) => lane.kept);
    if (steps.length > 0) lastSteps = steps;
  };
  for (const step of siblings) {
    if (lanes.some(({ last }) => isConcurrent(last, step))) {
      lanes.push({ last: step, kept: keptOf(step) });
      continue;
    }
    const lane = lanes.length > 1 ? lanes.find(({ last }) => follows(last, step)) : undefined;
    if (lane) {
      const steps = keptOf(step);
      lane.last = step;
      if (steps.length > 0) lane.kept = steps;
    } else {
      settle();
      lanes = [{ last: step, kept: keptOf(step) }];
    }
  }
  settle();
  return lastSteps;
}

/**
 * The steps whose outputs are what an interrupted run has produced, by the id of each step that holds others and has no
 * output of its own, and by `null` for the run: the last step in flow order that has an output, be it the partial text
 * of a step under way; of steps that ran at the same time all, in the order of their start. This is what the engine
 * keeps of a run that fails. Order and simultaneity are read from the steps themselves: from their times, and from whose
 * output is whose input.
 */
export function findPartialOutputSteps({ nodes }: Pick<RunState, "nodes">): Map<number | null, readonly RunNode[]> {
  const children = groupBy(nodes, ({ parent }) => parent ?? null);
  const outputSteps = new Map<number | null, readonly RunNode[]>();
  const keep = (parent: number | null): void => {
    const keptOf = (step: RunNode) => outputSteps.get(step.id) ?? (hasOutput(step) ? [step] : []);
    outputSteps.set(parent, findLastSteps(children.get(parent) ?? [], keptOf));
  };
  // Children have higher ids than their parents.
  for (const node of nodes.toReversed()) if (isContainerKind(node.kind) && !hasOutput(node)) keep(node.id);
  keep(null);
  return outputSteps;
}

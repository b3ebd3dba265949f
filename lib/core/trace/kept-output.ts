import { isPlace } from "../run/events";
import type { RunNode, RunState } from "./run-state";

/** What is between the outputs of steps that ran at the same time, as between the members of a group without a separator. */
const separator = "\n\n";

/** Of several steps at the same time one, with those that followed it, and the last output that these produced. */
interface Lane {
  last: RunNode;
  output: string;
}

const follows = (earlier: RunNode, step: RunNode): boolean =>
  earlier.endedAt !== undefined && step.startedAt >= earlier.endedAt && step.input.text === earlier.output.text;

const isConcurrent = (earlier: RunNode, step: RunNode): boolean =>
  step.startedAt <= (earlier.endedAt ?? Number.POSITIVE_INFINITY) && step.input.text === earlier.input.text;

const joinLanes = (lanes: readonly Lane[]): string =>
  lanes
    .map(({ output }) => output)
    .filter((output) => output !== "")
    .join(separator);

/** The output that siblings, in the order of their start, have produced so far. */
function joinOutputs(siblings: readonly RunNode[], outputOf: (step: RunNode) => string): string {
  let kept = "";
  let lanes: Lane[] = [];
  for (const step of siblings) {
    const output = outputOf(step);
    if (lanes.some(({ last }) => isConcurrent(last, step))) {
      lanes.push({ last: step, output });
      continue;
    }
    const lane = lanes.length > 1 ? lanes.find(({ last }) => follows(last, step)) : undefined;
    if (lane) {
      lane.last = step;
      lane.output = output || lane.output;
    } else {
      kept = joinLanes(lanes) || kept;
      lanes = [{ last: step, output }];
    }
  }
  return joinLanes(lanes) || kept;
}

/**
 * What an interrupted run has produced, by the id of each step that holds others, and by `null` for the run: the output
 * of the last step in flow order that has one, be it the partial text of a step under way; of steps that ran at the same
 * time all outputs, in the order of their start. This is what the engine keeps of a run that fails. Order and
 * simultaneity are read from the steps themselves: from their times, and from whose output is whose input. `wholeText`
 * gives an output of which the step holds only the beginning.
 */
export function toKeptOutputs(
  { nodes }: Pick<RunState, "nodes">,
  wholeText: (step: RunNode) => string = (step) => step.output.text,
): Map<number | null, string> {
  const children = new Map<number | null, RunNode[]>();
  for (const node of nodes) {
    const siblings = children.get(node.parent ?? null);
    if (siblings) siblings.push(node);
    else children.set(node.parent ?? null, [node]);
  }
  const outputs = new Map<number | null, string>();
  const keep = (parent: number | null): void => {
    outputs.set(
      parent,
      joinOutputs(children.get(parent) ?? [], (step) => outputs.get(step.id) ?? wholeText(step)),
    );
  };
  // Children have higher ids than their parents.
  for (const { id, kind, output } of nodes.toReversed()) if (isPlace(kind) && output.text === "") keep(id);
  keep(null);
  return outputs;
}

import { emptyLayout } from "../../flow/edit";
import type { RunNodeKind } from "../../run/events/events";
import { noUsage } from "../../run/events/usage";
import { type RunFile, toRunFileFrame } from "../file/run-file";
import type { RunNode } from "../model/run-state";

/** A step for tests that began at `10 * id` and took 5 ms, with nothing in it but the fields of `rest`. */
export const sampleNode = (id: number, kind: RunNodeKind, rest: Partial<RunNode> = {}): RunNode => ({
  id,
  path: `${id}`,
  kind,
  name: kind,
  status: "SUCCESS",
  startedAt: id * 10,
  endedAt: id * 10 + 5,
  input: { text: "" },
  output: { text: "" },
  reasoning: "",
  attempts: [],
  usage: noUsage,
  metadata: {},
  simulated: false,
  ...rest,
});

/** The file of a run for tests that ended well, except for the fields of `run`. */
export const sampleRunFile = (nodes: readonly RunNode[], run: Partial<RunFile["run"]> = {}): RunFile => ({
  run: {
    id: "018f4e9a-7c1b-4d2e-9a3f-0123456789ab",
    flowName: "Looms",
    status: "SUCCESS",
    input: { text: "Weave" },
    output: { text: "Threads" },
    error: null,
    usage: noUsage,
    simulated: false,
    createdAt: 1,
    startedAt: 2,
    endedAt: 99,
    ...run,
  },
  source: "swarm: { type: workflow, flow: a }\n",
  layout: emptyLayout,
  nodes,
});

/** A run as the text of one file, whole; the server writes it step by step. `readRunFile` gives the same run back. */
export function writeRunFile({ nodes, ...file }: RunFile): string {
  const { head, tail } = toRunFileFrame(file);
  return head + nodes.map((node) => JSON.stringify(node)).join(",\n") + tail;
}

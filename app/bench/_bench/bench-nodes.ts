import type { RunNodeKind } from "@/lib/core/run/events/events";
import { noUsage } from "@/lib/core/run/events/usage";
import type { RunNode } from "@/lib/core/trace/model/run-state";

const names = ["researcher", "critic", "writer"];
const answer = "**Looms** weave threads.\n\n- A shuttle carries the weft.\n- The warp is held under tension.";

const steps: readonly [RunNodeKind, string, string, string][] = [
  ["tool_call", "#tool-1", '{"expression":"17 * 3"}', "51"],
  ["llm_call", "", "[]", answer],
];

export function toBenchNodes(count: number, agents: number): RunNode[] {
  const lanes = Array.from({ length: agents }, (_, at) => names[at] ?? `agent ${at + 1}`);
  const given = lanes.map((name, at) =>
    toNode(at + 1, { kind: "agent", path: name, name, input: "Tell about looms." }),
  );
  const stepNodes = Array.from({ length: Math.max(0, count - agents) }, (_, index): RunNode => {
    const lane = index % lanes.length;
    const [kind, mark, input, output] = steps[Math.floor(index / lanes.length) % steps.length] ?? [
      "llm_call",
      "",
      "",
      "",
    ];
    const path = `${lanes[lane]}#llm-${index + 1}${mark}`;
    const name = kind === "tool_call" ? "calculator" : "demo:writer";
    return { ...toNode(agents + index + 1, { kind, path, name, input }), parent: lane + 1, output: { text: output } };
  });
  return [...given, ...stepNodes];
}

function toNode(id: number, { input, ...rest }: Pick<RunNode, "kind" | "path" | "name"> & { input: string }): RunNode {
  return {
    id,
    ...rest,
    status: "SUCCESS",
    startedAt: id * 1000,
    endedAt: id * 1000 + 400,
    input: { text: input },
    output: { text: "" },
    reasoning: "",
    attempts: [],
    usage: noUsage,
    metadata: {},
    simulated: true,
  };
}

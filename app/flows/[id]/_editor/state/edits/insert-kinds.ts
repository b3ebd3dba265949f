import type { IconKind } from "@/app/_ui/kind-icon";
import { printName } from "@/lib/core/dsl/print";
import type { Flow, NodeType } from "@/lib/core/flow/flow";
import { declaredNames } from "@/lib/core/flow/members";

/** Something new that can be put into a flow: a part that runs as it is. */
export interface InsertKind {
  id: string;
  label: string;
  /** What it is for, in a few words. */
  about: string;
  icon: IconKind;
  /** Other words that people may look for. */
  words: string;
  /** The part as a flow file of its own; agents ask `model`. */
  toFragment(model: string): string;
}

const agents = (names: readonly string[], model: string): string =>
  `agents:\n${names.map((name) => `  ${name}: { model: ${JSON.stringify(model)} }\n`).join("")}`;
const flowOf = (text: string): string => `swarm:\n  flow: ${text}\n`;

/** Everything that can be put in, the most usual first. */
export const insertKinds: readonly InsertKind[] = [
  {
    id: "agent",
    label: "Agent",
    about: "One model with instructions and tools",
    icon: "agent",
    words: "step new",
    toFragment: (model) => agents(["agent"], model) + flowOf("agent"),
  },
  {
    id: "lanes",
    label: "Parallel lanes",
    about: "Two agents at once, answers joined",
    icon: "lanes",
    words: "side by side fan out",
    toFragment: (model) => agents(["lane", "lane_2"], model) + flowOf("(lane | lane_2)"),
  },
  {
    id: "branch",
    label: "Branch",
    about: "One of two ways, by a condition",
    icon: "branch",
    words: "if else control condition",
    toFragment: (model) =>
      `${agents(["if_yes", "if_no"], model)}branches:
  branch: { condition: 'contains(input, "yes")', if_true: if_yes, if_false: if_no }
${flowOf("branch")}`,
  },
  {
    id: "router",
    label: "Router",
    about: "One of several ways, picked by a model",
    icon: "router",
    words: "switch control lanes",
    toFragment: (model) =>
      `${agents(["first_lane", "second_lane"], model)}routers:
  router:
    model: ${JSON.stringify(model)}
    lanes:
      first: { when: the message is a question, flow: first_lane }
      second: { when: anything else, flow: second_lane }
${flowOf("router")}`,
  },
  {
    id: "loop",
    label: "Loop",
    about: "The same part again and again",
    icon: "loop",
    words: "repeat while for each control",
    toFragment: (model) => `${agents(["in_loop"], model)}loops:
  loop: { body: in_loop, count: 3 }
${flowOf("loop")}`,
  },
  {
    id: "approval",
    label: "Approval",
    about: "A person says yes or no first",
    icon: "approval",
    words: "human review control",
    toFragment: () => `approvals:\n  approval: { message: May this go on? }\n${flowOf("approval")}`,
  },
  {
    id: "group",
    label: "Parallel group",
    about: "A named group whose members run at once",
    icon: "group",
    words: "frame",
    toFragment: (model) => `${agents(["member", "member_2"], model)}groups:
  group: { type: parallel, flow: member | member_2 }
${flowOf("group")}`,
  },
  {
    id: "swarm",
    label: "Nested swarm",
    about: "A flow with a history of its own",
    icon: "swarm",
    words: "sub workflow",
    toFragment: (model) => `${agents(["inner", "inner_2"], model)}swarms:
  swarm: { type: workflow, flow: inner >> inner_2 }
${flowOf("swarm")}`,
  },
];

/** What the flow has already, put in once more. */
export interface Existing {
  name: string;
  kind: NodeType;
  fragment: string;
}

/** Everything that is declared, to be used again where the flow allows it. */
export const listExisting = (flow: Flow): Existing[] =>
  declaredNames(flow).map((name) => ({
    name,
    kind: kindOf(flow, name),
    fragment: `swarm:\n  flow: ${JSON.stringify(printName(name))}\n`,
  }));

function kindOf(flow: Flow, name: string): NodeType {
  if (flow.agents.has(name)) return "agent";
  if (flow.groups.has(name)) return "group";
  return flow.controls.get(name)?.type ?? "swarm";
}

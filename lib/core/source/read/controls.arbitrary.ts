import { printFlow } from "../../dsl/print";
import type { Edit, Scope } from "../../flow/edit";
import { lanesOf } from "../../kinds/registry";
import { readSource } from "../read-source";

export const root: Scope = { type: "root" };
export const lane = (name: string, of: string): Scope => ({ type: "lane", name, lane: of });
const names = ["planner", "billing", "tech", "sales", "writer", "critic", "spare"];
export const agents = `agents:\n${names.map((name) => `  ${name}:\n    model: demo:x\n`).join("")}`;

/** In blocks. */
export const block = `# A desk.
${agents}branches:
  # Is it about money?
  check:
    condition: contains(input, "refund")   # plain words
    if_true: billing >> sales   # first money
routers:
  triage:
    model: demo:router
    lanes:
      # short form
      money: "billing >> sales"   # as text
      help:
        when: it does not work # who knows
        flow: tech
      rest:
        when: anything else
loops:
  refine:
    body: |
      # twice
      writer >> critic
    count: 2
approvals:
  ask:
    message: Publish?
swarm:
  flow: planner >> triage >> check >> refine >> ask
`;
/** The same in braces. */
export const inBraces = `agents: { ${names.map((name) => `${name}: { model: demo:x }`).join(", ")} }
branches: { check: { condition: 'contains(input, "refund")', if_true: billing >> sales } }
routers: { triage: { model: demo:router, lanes: { money: "billing >> sales", help: { when: it does not work, flow: tech }, rest: { when: anything else } } } }
loops: { refine: { body: writer >> critic, count: 2 } }
approvals: { ask: { message: Publish? } }
swarm: { flow: planner >> triage >> check >> refine >> ask }
`;

/** The controls that a text declares. */
export const controlsOf = (text: string) =>
  [...readSource(text).flow.controls.values()].map((control) => ({
    ...control,
    ...("lanes" in control ? { lanes: [...control.lanes].map(([name, { when }]) => [name, when]) } : {}),
    ...Object.fromEntries(lanesOf(control).map(([name, flow]) => [name, flow && printFlow(flow)])),
  }));
export const laneOf = (text: string, name: string, of: string): string | null => {
  const control = readSource(text).flow.controls.get(name);
  const flow = control && lanesOf(control).find(([one]) => one === of)?.[1];
  return flow ? printFlow(flow) : null;
};
export const set = (
  name: string,
  path: string[],
  value?: Extract<Edit, { type: "set-control-field" }>["value"],
): Edit => ({
  type: "set-control-field",
  name,
  path,
  ...(value === undefined ? {} : { value }),
});

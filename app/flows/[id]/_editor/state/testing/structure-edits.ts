import type { Edit, Scope } from "@/lib/core/flow/edit";
import { namesOf } from "@/lib/core/flow/expression";
import type { Flow } from "@/lib/core/flow/flow";
import { errorsOf, type Problem } from "@/lib/core/flow/problem";
import { membersOf } from "@/lib/core/kinds/registry";

export const structureSource = `name: Shared
agents:
  a: { model: "demo:writer" }
  b: { model: "demo:writer" }
  c: { model: "demo:writer" }
  d: { model: "demo:writer", instructions: "See \${outputs.a}." }
  p: { model: "demo:writer" }
  q: { model: "demo:writer" }
  w: { model: "demo:writer" }
groups:
  pair: { flow: "p | q" }
swarms:
  team:
    type: handoff
    agents: [p, q]
    edges: [[p, q]]
swarm:
  type: workflow
  flow: a >> b >> (c | pair) >> d >> team
`;

/** The same flow with its groups and swarms in braces. */
export const bracesSource = structureSource.replace(
  /groups:[\s\S]*(?=swarm:\n)/,
  'groups: { pair: { flow: "p | q" } }\nswarms: { team: { type: handoff, agents: [p, q], edges: [[p, q]] } }\n',
);

/** The same flow with its members as lists of lines. */
export const listsSource = structureSource.replace(
  /groups:[\s\S]*(?=swarm:\n)/,
  `swarms:
  team:
    type: handoff
    agents:
      - p
      - q
    edges:
      - [p, q]
groups:
  pair:
    type: parallel
    agents:
      - p
      - q
`,
);

/** The same flow as members and links. */
export const linksSource = structureSource.replace(
  /flow: a >> .*/,
  "agents: [a, b, c, pair, d, team]\n  edges: [[a, b], [b, c], [b, pair], [c, d], [pair, d], [d, team]]",
);

export const threeAgents = `name: Shared
agents:
  a: { model: "demo:writer" }
  b: { model: "demo:writer" }
  c: { model: "demo:writer" }
swarm:
  type: workflow
  flow: a >> b >> c
`;

const root: Scope = { type: "root" };

/** `after`: missing: at the end. */
export const addAgent = (name: string, after?: string, scope: Scope = root): Edit => ({
  type: "add-agent",
  name,
  model: "demo:writer",
  scope,
  ...(after === undefined ? { atEnd: true } : { after }),
});

export const removeAgent = (name: string): Edit => ({
  type: "delete-nodes",
  scope: root,
  names: [name],
  declarations: true,
});

/** A text that looks up what an agent wrote. */
export const lookUp = (name: string): string => `See \${outputs.${name}}.`;

/** A drawing that has no order, or a group that became empty, is what someone drew. */
const drawn = ["unknown-provider", "not-series-parallel", "no-members"];

export const listMistakes = (problems: readonly Problem[]): Problem[] =>
  errorsOf(problems).filter(({ code }) => !drawn.includes(code));

const group: Scope = { type: "group", name: "pair" };
const team: Scope = { type: "swarm", name: "team" };

interface Choice {
  flow: Flow;
  random(): number;
  /** Tells what is added from everything else. */
  mark: string;
  /** Whether several people give the same names. */
  hasSameNames: boolean;
}

const pickFrom = <T>(items: readonly T[], random: () => number): T | undefined =>
  items[Math.floor(random() * items.length)];

/** A random edit of the structure. Some cannot be done. */
export function anyStructureEdit({ flow, random, mark, hasSameNames }: Choice): Edit | undefined {
  const pick = <T>(items: readonly T[]): T | undefined => pickFrom(items, random);
  const members = flow.swarm.flow ? namesOf(flow.swarm.flow).map(({ name }) => name) : [];
  const [one = "a", other = "b"] = [pick(members), pick(members)];
  const pair = flow.groups.get("pair");
  const pairMembers = pair ? membersOf(pair) : [];
  const name = pick(hasSameNames ? ["agent", `n${mark}`, "my agent"] : [`n${mark}`, `my ${mark}`]) ?? "agent";
  const model = "demo:writer";
  const instructions = `made ${mark}`;
  const edits: readonly (() => Edit)[] = [
    () => ({ type: "add-agent", name, model, instructions, scope: root, atEnd: true }),
    () => ({ type: "add-agent", name, model, instructions, scope: root, after: one }),
    () => ({ type: "add-agent", name, model, instructions, scope: group, after: pick(pairMembers) ?? "p" }),
    () => ({ type: "add-agent", name, model, instructions, scope: team, after: "p" }),
    () => ({ type: "delete-nodes", scope: root, names: [pick(["a", "b", "c", "d"]) ?? "a"], declarations: true }),
    () => ({ type: "move-member", name: one, from: root, scope: root, at: { member: other, side: "after" } }),
    () => ({ type: "move-member", name: one, from: root, scope: group }),
    () => ({ type: "wrap-parallel", scope: root, names: [one, other] }),
    () => ({ type: "wrap-serial", scope: root, names: [one, other] }),
    () => ({ type: "unwrap", scope: root, names: [one] }),
    () => ({ type: "connect", scope: root, from: one, to: "w" }),
    () => ({ type: "disconnect", scope: root, from: one, to: other }),
    () => ({ type: "disconnect", scope: team, from: "p", to: "q" }),
    () => ({ type: "extract-group", scope: root, names: [one], name: `group ${mark}`, group: "serial" }),
    () => ({
      type: "extract-group",
      scope: root,
      names: [one, other],
      name: pick(hasSameNames ? ["group"] : [`g ${mark}`]) ?? "group",
      group: "parallel",
    }),
    () => ({ type: "inline", scope: root, name: "pair" }),
    () =>
      hasSameNames ? { type: "rename", from: one, to: `r ${mark}` } : { type: "unwrap", scope: root, names: [one] },
    () => ({
      type: "insert-fragment",
      scope: root,
      place: { type: "after", names: [one] },
      text: `agents:\n  ${name}: { model: "demo:writer", instructions: "made ${mark}" }\nswarm:\n  type: workflow\n  flow: ${name}\n`,
    }),
    () => ({
      type: "add-control",
      control: "branch",
      name: hasSameNames ? "check" : `k${mark}`,
      fields: { condition: "true", if_true: "w" },
      scope: root,
      atEnd: true,
    }),
  ];
  return pick(edits)?.();
}

/** How many scopes have the name as a member. */
export const countPlaces = ({ swarm, groups, swarms, controls }: Flow, name: string): number =>
  [swarm, ...groups.values(), ...swarms.values(), ...controls.values()].filter((one) => membersOf(one).includes(name))
    .length;

/** A text in which the second of two names that are the same ends with 2, whatever number it got. */
export const numbered = (text: string): string => text.replaceAll(/\b(agent|group|n|x)_\d\d\b/g, "$1_2");

/** The name in a text that the second one of two with this name got. */
export const secondName = (text: string, name: string): string =>
  new RegExp(`^ {2}(${name}_\\d\\d):`, "m").exec(text)?.[1] ?? "no second name";

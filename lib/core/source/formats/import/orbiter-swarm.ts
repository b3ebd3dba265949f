import * as z from "zod/mini";
import { clip } from "../../../flow/text-range";
import { orbiterAgentFields } from "../orbiter-flow";
import { type OrbiterAgent, type OrbiterNode, type OrbiterSwarm, toOrbiterMode } from "./build-flow";
import { type Findings, humanInputNote } from "./imported";

const swarmFields = {
  mode: z._default(z.string(), "workflow"),
  flow: z.nullish(z.string()),
  max_handoffs: z.optional(z.int()),
};
/** `Swarm.to_dict()`: every agent with all its fields, in their order. Orbiter serialises no groups and nested swarms. */
const serialisedSchema = z.object({ ...swarmFields, agents: z.array(z.record(z.string(), z.unknown())) });
/** `Swarm.describe()`: a summary. */
const describedSchema = z.object({
  ...swarmFields,
  flow_order: z.optional(z.array(z.string())),
  agents: z.record(z.string(), z.unknown()),
});
const nestedSchema = z.object({ type: z.literal("nested_swarm"), inner: describedSchema });
const groupSchema = z.object({ type: z.enum(["parallel", "serial"]), agents: z.array(z.string()) });
const handoffsSchema = z._default(z.array(z.union([z.string(), z.object({ name: z.string() })])), []);

/**
 * The swarm that Orbiter wrote as data; null when it is none, and `findings` tells why. `order` are the keys of the outermost `agents` as they
 * are in the text, which objects of JavaScript do not keep. What the data does not hold is reported as lost.
 */
export function readOrbiterSwarm(value: unknown, order: readonly string[], findings: Findings): OrbiterSwarm | null {
  const serialised = serialisedSchema.safeParse(value);
  if (serialised.success) {
    keepUnknown(value, ["agents", "flow", "mode", "max_handoffs"], findings);
    return readSerialised(serialised.data, findings);
  }
  const described = describedSchema.safeParse(value);
  if (!described.success) {
    const [issue] = (Array.isArray(fieldsOf(value)?.agents) ? serialised : described).error?.issues ?? [];
    const path = issue?.path.join(".") ?? "";
    const message = `Expected what Swarm.to_dict() or Swarm.describe() of Orbiter writes; \`${clip(path)}\` is not: ${issue?.message ?? "it has another form"}.`;
    findings.refuse("invalid-value", message);
    return null;
  }
  keepUnknown(value, ["agents", "flow", "mode", "max_handoffs", "flow_order", "name"], findings);
  const message =
    "This is a description (Swarm.describe()): it holds no instructions, temperature and max_tokens of agents. Import Swarm.to_dict() to keep them.";
  findings.lose("unsupported", message);
  return readDescribed(described.data, null, findings, order);
}

/** Whether it looks like `to_dict()` or `describe()`: a flow file keeps the mode and the order under `swarm`. */
export const isOrbiterSwarm = (value: object): boolean =>
  "agents" in value &&
  !("swarm" in value) &&
  ["mode", "flow", "flow_order", "max_handoffs"].some((key) => key in value);

/** Whether it looks like `Agent.to_dict()`. */
export const isOrbiterAgent = (value: object): boolean =>
  "name" in value && "model" in value && !["agents", "swarm", "groups", "swarms"].some((key) => key in value);

function readSerialised({ agents, ...swarm }: z.infer<typeof serialisedSchema>, findings: Findings): OrbiterSwarm {
  const members = agents.map((fields): DataMember => {
    const name = typeof fields.name === "string" ? fields.name : "";
    return { node: toAgent(name, fields, findings), value: fields };
  });
  return toSwarm(swarm, null, members, findings);
}

function readDescribed(
  { agents, flow_order, ...swarm }: z.infer<typeof describedSchema>,
  name: string | null,
  findings: Findings,
  order: readonly string[] = Object.keys(agents),
): OrbiterSwarm {
  const members = order.flatMap((key): DataMember[] =>
    Object.hasOwn(agents, key) ? [{ node: toDescribedNode(key, agents[key], findings), value: agents[key] }] : [],
  );
  const described = toSwarm(swarm, name, members, findings);
  if (described.mode === "handoff" && swarm.max_handoffs === undefined)
    findings.lose("unsupported", "A description does not hold max_handoffs: it is as usual here.");
  const nodes = new Map(described.members.map((node) => [node.name, node]));
  const inOrder = new Set([...(swarm.flow ? [] : (flow_order ?? [])), ...order]);
  return { ...described, members: [...inOrder].flatMap((key) => nodes.get(key) ?? []) };
}

/** A member of a swarm, and the data that it was read from. */
interface DataMember {
  node: OrbiterNode;
  value: unknown;
}

type SwarmData = Omit<z.infer<typeof serialisedSchema>, "agents">;

function toSwarm(
  { mode: writtenMode, flow, max_handoffs }: SwarmData,
  name: string | null,
  members: readonly DataMember[],
  findings: Findings,
): OrbiterSwarm {
  const mode = toOrbiterMode(writtenMode, findings);
  const nodes = new Map(members.map(({ node }) => [node.name ?? "", node]));
  for (const { node, value } of members) {
    if (node.type !== "Agent") continue;
    for (const targetName of readHandoffs(node.name, fieldsOf(value)?.handoffs, findings)) {
      const target = nodes.get(targetName);
      if (target) node.handoffs.push(target);
      // Orbiter hands over by name, to members of the same handoff swarm only.
      if (target && mode === "handoff") continue;
      const reason = target ? `this is a ${mode}` : "the swarm has no such member";
      const link = `"${clip(node.name)}" may hand over to "${clip(targetName)}"`;
      findings.note("no-handoffs", `${link}, which means nothing in Orbiter: ${reason}.`);
    }
  }
  return {
    type: "Swarm",
    name,
    members: members.map(({ node }) => node),
    mode,
    ...(max_handoffs !== undefined && { maxHandoffs: max_handoffs }),
    ...(flow && { flow }),
  };
}

function toDescribedNode(name: string, value: unknown, findings: Findings): OrbiterNode {
  const group = groupSchema.safeParse(value);
  if (group.success) {
    const { type, agents } = group.data;
    const separator = type === "parallel" ? ", and not its separator" : "";
    const message = `A description has only the names of the members of group "${clip(name)}"${separator}: models, tools and the rest are as usual here.`;
    findings.lose("missing-model", message);
    return { type: "Group", name, group: type, members: agents.map(nameOnly) };
  }
  const nested = nestedSchema.safeParse(value);
  if (nested.success) return readDescribed(nested.data.inner, name, findings);
  const fields = fieldsOf(value);
  if (fields && !("type" in fields)) return toAgent(name, fields, findings);
  const message = `"${clip(name)}" is not described as Orbiter describes agents: only its name is read.`;
  findings.lose("invalid-value", message);
  return nameOnly(name);
}

const nameOnly = (name: string): OrbiterAgent => ({ type: "Agent", name, fields: {}, handoffs: [] });

/** An agent as both forms write it; values of a wrong kind are reported where the flow is built. */
function toAgent(
  name: string,
  { name: _, handoffs: __, tools, output_type, ...fields }: Record<string, unknown>,
  findings: Findings,
): OrbiterAgent {
  const knownFields = Object.entries(fields).filter(
    ([field, value]) => orbiterAgentFields.includes(field) && value !== null,
  );
  keepUnknown(fields, orbiterAgentFields, findings, ` of "${clip(name)}"`);
  if (typeof output_type === "string")
    findings.quarantine(`the output_type of "${clip(name)}"`, null, { text: output_type });
  return {
    type: "Agent",
    name,
    fields: {
      ...Object.fromEntries(knownFields),
      ...(tools !== undefined && { tools: toTools(tools, name, findings) }),
    },
    handoffs: [],
  };
}

/** `to_dict()` writes where a tool's code is imported from (`desk.tools.search`), `describe()` its name. */
function toTools(value: unknown, owner: string, findings: Findings): unknown {
  const paths = z.array(z.string()).safeParse(value);
  if (!paths.success) return value;
  const names = paths.data.map((path) => {
    const name = path.split(".").at(-1) ?? path;
    if (name === "HumanInputTool" || name === "human_input") {
      findings.note("name-taken", humanInputNote);
      return "ask_human";
    }
    const code = `the code of the tool ${clip(name)} of agent "${clip(owner)}"`;
    if (path.includes(".")) findings.quarantine(code, null, { effect: "lost", text: path });
    return name;
  });
  return [...new Set(names)];
}

/** The names that an agent may hand over to. */
function readHandoffs(name: string, value: unknown, findings: Findings): string[] {
  const handoffs = handoffsSchema.safeParse(value ?? undefined);
  if (handoffs.success) return handoffs.data.map((target) => (typeof target === "string" ? target : target.name));
  findings.quarantine(`the handoffs of "${clip(name)}"`, null, { effect: "lost", text: JSON.stringify(value) });
  return [];
}

const fieldsOf = (value: unknown): Record<string, unknown> | null =>
  z.record(z.string(), z.unknown()).safeParse(value).data ?? null;

/** Keys that Orbiter does not write: it does not read them either. */
function keepUnknown(value: unknown, knownKeys: readonly string[], findings: Findings, owner = ""): void {
  for (const [key, item] of Object.entries(fieldsOf(value) ?? {})) {
    const text = `${JSON.stringify(key)}: ${JSON.stringify(item)}`;
    if (!knownKeys.includes(key)) findings.quarantine(`the key ${clip(key)}${owner}`, null, { text });
  }
}

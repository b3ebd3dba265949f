/** The models of the crash suite are roles: `outside-server.ts` answers as each of them. */
type Role = "writer" | "noter" | "fetcher" | "flaky" | "lead" | "boss" | "holder";

const toolsOf: Partial<Record<Role, string>> = { noter: "[record_note]", fetcher: "[http_request]" };

/** Each agent's instructions name it, so that no two agents ask their model the same. */
const declareAgent = (name: string, role: Role): string =>
  `  ${name}: { model: "compatible:${role}", instructions: "You are ${name}.", tools: ${toolsOf[role] ?? "[]"} }`;

const declareAgents = (roles: Readonly<Record<string, Role>>): string =>
  `agents:\n${Object.entries(roles)
    .map(([name, role]) => declareAgent(name, role))
    .join("\n")}\n`;

const [lanes, stepsOfLane] = [4, 8];
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
/** The names of the agents in each of the parallel branches. */
export const laneAgents = numbers(lanes).map((lane) => numbers(stepsOfLane).map((step) => `lane${lane}step${step}`));
const laneRoles = Object.fromEntries(
  laneAgents.flatMap((names) => names.map((name, step): [string, Role] => [name, step % 4 === 3 ? "noter" : "writer"])),
);

/** One flow of each shape that a run may have. */
export const crashFlows = {
  lanes: `${declareAgents({ ...laneRoles, last: "writer" })}swarm: { flow: (${laneAgents
    .map((names) => names.join(" >> "))
    .join(" | ")}) >> last }\n`,
  tools: `${declareAgents({ a: "noter", b: "fetcher", c: "noter" })}swarm: { flow: a >> b >> c }\n`,
  nested: `${declareAgents({ a: "writer", b: "noter", c: "writer", d: "writer" })}swarms: { s: { flow: (b | c) } }\nswarm: { flow: a >> s >> d }\n`,
  loop: `${declareAgents({ a: "writer", b: "noter", c: "writer" })}loops: { l: { body: a >> b, count: 3 } }\nswarm: { flow: l >> c }\n`,
  branch: `${declareAgents({ a: "writer", b: "noter", c: "writer" })}branches: { x: { condition: "len(input) > 3", if_true: b, if_false: c } }\nswarm: { flow: a >> x >> c }\n`,
  approval: `${declareAgents({ a: "noter", b: "writer" })}approvals: { ok: { message: "Go on?" } }\nswarm: { flow: a >> ok >> b }\n`,
  retries: `${declareAgents({ a: "flaky", b: "writer", c: "flaky" })}swarm: { flow: a >> b >> c }\n`,
  team: `${declareAgents({ lead: "lead", w: "noter" })}swarm: { type: team, agents: [lead, w] }\n`,
  orchestrate: `${declareAgents({ boss: "boss", w: "noter" })}swarm: { type: orchestrate, agents: [boss, w] }\n`,
} satisfies Record<string, string>;
export type CrashShape = keyof typeof crashFlows;

const isShape = (name: string): name is CrashShape => Object.hasOwn(crashFlows, name);
export const crashShapes = Object.keys(crashFlows).filter(isShape);

/** A single long answer, for an executor that is frozen meanwhile. */
export const heldFlow = `${declareAgents({ a: "writer", b: "holder", c: "noter" })}swarm: { flow: a >> b >> c }\n`;

/** Parallel and serial steps without the tools of the suite: for the workers of the product. */
const writers = numbers(10).map((number) => `writer${number}`);
export const writersFlow = `${declareAgents({ ...Object.fromEntries(writers.map((name): [string, Role] => [name, "writer"])), last: "flaky" })}swarm: { flow: (${writers.slice(0, 5).join(" >> ")} | ${writers.slice(5).join(" >> ")}) >> last }\n`;

export const toSource = (name: string, flow: string): string => `name: ${name}\n${flow}`;

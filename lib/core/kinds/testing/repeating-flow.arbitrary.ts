import fc from "fast-check";

/** How the text of each kind of container names its members. */
const containers = {
  groups: (members) => `{ flow: "${members.join(" >> ")}" }`,
  parallels: (members) => `{ type: parallel, flow: "${members.join(" | ")}" }`,
  workflows: (members) => `{ type: workflow, flow: "${members.join(" >> ")}" }`,
  teams: (members) => `{ type: team, agents: [${members.join(", ")}] }`,
  handoffs: (members) =>
    `{ type: handoff, agents: [${members.join(", ")}], edges: [${members.flatMap((from) => members.map((to) => `[${from}, ${to}]`)).join(", ")}] }`,
  orchestrations: (members) => `{ type: orchestrate, agents: [${members.join(", ")}] }`,
  loops: (members) => `{ count: 2, body: "${members.join(" >> ")}" }`,
  branches: (members) =>
    `{ condition: "1 > 0", if_true: "${members.join(" >> ")}", if_false: "${members.join(" | ")}" }`,
  routers: (members) =>
    `{ model: "demo:x", lanes: { ${members.map((name, lane) => `l${lane}: { when: x, flow: ${name} }`).join(", ")} } }`,
} as const satisfies Record<string, (members: readonly string[]) => string>;

export type ContainerWord = keyof typeof containers;
export const containerWords = Object.keys(containers).filter((word): word is ContainerWord => word in containers);

const sections: Record<ContainerWord, string> = {
  groups: "groups",
  parallels: "groups",
  workflows: "swarms",
  teams: "swarms",
  handoffs: "swarms",
  orchestrations: "swarms",
  loops: "loops",
  branches: "branches",
  routers: "routers",
};

const namesTo = (count: number, prefix: string): string[] => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

const writeFlow = (word: ContainerWord, members: ReadonlyMap<string, readonly string[]>): string =>
  [
    `agents: { a: { model: "demo:x" } }`,
    `${sections[word]}: { ${[...members].map(([name, names]) => `${name}: ${containers[word](names)}`).join(", ")} }`,
    "swarm: { flow: g0 }\n",
  ].join("\n");

/** Containers `g0` to `gN` that each contain all of them: N! places. */
export function writeCompleteFlow(count: number, word: ContainerWord = "groups"): string {
  const names = namesTo(count, "g");
  return writeFlow(word, new Map(names.map((name) => [name, names])));
}

/** Containers that each contain the next several times, without a cycle: `times ** depth` places. */
export function writeTowerFlow(times: number, depth: number, word: ContainerWord = "groups"): string {
  const names = namesTo(depth, "g");
  return writeFlow(
    word,
    new Map(names.map((name, level) => [name, Array.from({ length: times }, () => names[level + 1] ?? "a")])),
  );
}

/** Pairs of containers that each contain the next pair, without a cycle and without a mistake: `2 ** depth` places. */
export function writePairsFlow(depth: number, word: ContainerWord = "groups"): string {
  const pairs = [["g0"], ...namesTo(depth - 1, "g").map((_, level) => [`g${level + 1}`, `h${level + 1}`])];
  return writeFlow(
    word,
    new Map(pairs.flatMap((names, level) => names.map((name) => [name, pairs[level + 1] ?? ["a"]] as const))),
  );
}

/** Short texts of flows with far more places than names. */
export const anyRepeatingFlow: fc.Arbitrary<string> = fc.constantFrom(...containerWords).chain((word) =>
  fc.oneof(
    fc.integer({ min: 1, max: 16 }).map((count) => writeCompleteFlow(count, word)),
    fc
      .tuple(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 24 }))
      .map(([times, depth]) => writeTowerFlow(times, depth, word)),
    fc.integer({ min: 1, max: 24 }).map((depth) => writePairsFlow(depth, word)),
  ),
);

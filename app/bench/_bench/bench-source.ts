export interface BenchSize {
  agents: number;
  groups: boolean;
}

const stageSize = 10;

/**
 * A flow of exactly that many agents, four lines each: lanes side by side, each a line of stages of ten agents that mix
 * serial, parallel and nested members. About as wide as a screen is. The same size gives the same text.
 */
export function toBenchSource({ agents, groups }: BenchSize): string {
  const names = Array.from({ length: agents }, (_, index) => `a${index}`);
  const stages: string[] = [];
  const declared: string[] = [];
  for (let start = 0; start < agents; start += stageSize) {
    const members = names.slice(start, start + stageSize);
    const number = stages.length;
    if (groups && number % 3 === 2 && members.length > 2) {
      const [first, ...rest] = members;
      declared.push(`  g${number}: { type: serial, flow: "${first} >> h${number}" }`);
      declared.push(`  h${number}: { type: parallel, flow: "${rest.join(" | ")}" }`);
      stages.push(`g${number}`);
    } else stages.push(toStage(members, number));
  }
  const perLane = Math.max(1, Math.ceil(Math.sqrt(stages.length * 1.2)));
  const lanes: string[] = [];
  for (let start = 0; start < stages.length; start += perLane)
    lanes.push(stages.slice(start, start + perLane).join(" >>\n      "));
  return [
    "name: Bench",
    "agents:",
    ...names.map((name) => `  ${name}:\n    model: demo:writer\n    tools: [calculator]\n    max_steps: 4`),
    ...(declared.length > 0 ? ["groups:", ...declared] : []),
    "swarm:",
    "  flow: |",
    `    ( ${lanes.join("\n    | ")} )`,
    "",
  ].join("\n");
}

function toStage(members: readonly string[], number: number): string {
  const [first, ...rest] = members;
  const pairs: string[] = [];
  const spread = number % 2 === 0 ? members : rest;
  for (let i = 0; i < spread.length; i += 2) pairs.push(spread.slice(i, i + 2).join(" >> "));
  const lanes = pairs.length > 1 ? `(${pairs.join(" | ")})` : (pairs[0] ?? "");
  return number % 2 === 0 || lanes === "" ? lanes || `${first}` : `${first} >> ${lanes}`;
}

export const writeAgents = (names: readonly string[], model: string): string =>
  `agents:\n${names.map((name) => `  ${name}: { model: ${JSON.stringify(model)} }\n`).join("")}`;

export const writeFlow = (text: string): string => `swarm:\n  flow: ${text}\n`;

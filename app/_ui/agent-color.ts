export const agentColorCount = 8;

/** The colour of an agent wherever it is shown: canvas, text and timeline agree. A CSS value. */
export function agentColor(name: string): string {
  let hash = 2166136261;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 16777619);
  return `var(--agent-${(hash >>> 0) % agentColorCount})`;
}

import { hashText } from "@/lib/core/flow/hash-text";

export const agentColorCount = 8;

/** The colour of an agent wherever it is shown: canvas, text and timeline agree. A CSS value. */
export const agentColor = (name: string): string => `var(--agent-${hashText(name) % agentColorCount})`;

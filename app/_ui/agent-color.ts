import { hashText } from "@/lib/core/flow/hash-text";

export const agentColorCount = 8;

export const agentColor = (name: string): string => `var(--agent-${hashText(name) % agentColorCount})`;

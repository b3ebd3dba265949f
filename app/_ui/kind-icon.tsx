import { Bot, Boxes, Hand, MessageSquareText, Repeat2, Rows3, UserCheck, Wrench } from "lucide-react";
import type { NodeKind } from "@/lib/core/run/events";

const icons = {
  agent: Bot,
  swarm: Boxes,
  group: Rows3,
  llm_call: MessageSquareText,
  tool_call: Wrench,
  handoff: Repeat2,
  approval: UserCheck,
  unknown: Hand,
} as const satisfies Record<NodeKind | "unknown", unknown>;

/** What a node is called for people. */
export const kindLabels: Record<NodeKind, string> = {
  agent: "Agent",
  swarm: "Swarm",
  group: "Group",
  llm_call: "Model call",
  tool_call: "Tool call",
  handoff: "Handoff",
  approval: "Approval",
};

/** The shape that tells kinds of nodes apart, with colour left to its surroundings. */
export function KindIcon({ kind, size = 14 }: { kind: keyof typeof icons; size?: number }) {
  const Icon = icons[kind];
  return <Icon size={size} aria-hidden className="shrink-0" />;
}

import {
  ArrowRightLeft,
  Bot,
  Boxes,
  CornerDownRight,
  Hand,
  LayoutTemplate,
  MessageSquareText,
  Repeat,
  Rows3,
  Split,
  StickyNote,
  StretchHorizontal,
  UserCheck,
  Waypoints,
  Wrench,
} from "lucide-react";
import type { RunNodeKind } from "@/lib/core/run/events/events";

const icons = {
  agent: Bot,
  swarm: Boxes,
  group: Rows3,
  llm_call: MessageSquareText,
  tool_call: Wrench,
  handoff: ArrowRightLeft,
  approval: UserCheck,
  branch: Split,
  router: Waypoints,
  loop: Repeat,
  round: CornerDownRight,
  unknown: Hand,
  note: StickyNote,
  lanes: StretchHorizontal,
  template: LayoutTemplate,
} as const satisfies Record<RunNodeKind | "unknown" | "note" | "lanes" | "template", unknown>;
export type IconKind = keyof typeof icons;

/** What a node is called for people. */
export const kindLabels: Record<RunNodeKind, string> = {
  agent: "Agent",
  swarm: "Swarm",
  group: "Group",
  llm_call: "Model call",
  tool_call: "Tool call",
  handoff: "Handoff",
  approval: "Approval",
  branch: "Branch",
  router: "Router",
  loop: "Loop",
  round: "Round",
};

/** The shape that tells kinds of nodes apart, with colour left to its surroundings. */
export function KindIcon({ kind, size = 14 }: { kind: IconKind; size?: number }) {
  const Icon = icons[kind];
  return <Icon size={size} aria-hidden className="shrink-0" />;
}

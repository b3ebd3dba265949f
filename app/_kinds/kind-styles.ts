import {
  ArrowRightLeft,
  Bot,
  Boxes,
  CornerDownRight,
  type LucideIcon,
  MessageSquareText,
  Repeat,
  Rows3,
  Split,
  UserCheck,
  Waypoints,
  Wrench,
} from "lucide-react";
import type { RunNodeKind } from "@/lib/core/run/events/events";

interface KindStyle {
  label: string;
  icon: LucideIcon;
}

/** Apart from the views, which bring forms and fragments: a page that displays a run needs no more of a kind. */
export const kindStyles: Readonly<Record<RunNodeKind, KindStyle>> = {
  agent: { label: "Agent", icon: Bot },
  branch: { label: "Branch", icon: Split },
  router: { label: "Router", icon: Waypoints },
  loop: { label: "Loop", icon: Repeat },
  approval: { label: "Approval", icon: UserCheck },
  group: { label: "Group", icon: Rows3 },
  swarm: { label: "Swarm", icon: Boxes },
  llm_call: { label: "Model call", icon: MessageSquareText },
  tool_call: { label: "Tool call", icon: Wrench },
  handoff: { label: "Handoff", icon: ArrowRightLeft },
  round: { label: "Round", icon: CornerDownRight },
};

import {
  ArrowRightLeft,
  CornerDownRight,
  Hand,
  LayoutTemplate,
  type LucideIcon,
  MessageSquareText,
  StickyNote,
  StretchHorizontal,
  Wrench,
} from "lucide-react";
import type { RunNodeKind } from "@/lib/core/run/events/events";
import { type builtInViews, findKindView } from "./registry";

type OtherKind = Exclude<RunNodeKind, keyof typeof builtInViews> | "unknown" | "note" | "lanes" | "template";

/** Steps of a run, and items of the editor. */
const otherKinds: Readonly<Record<OtherKind, { label: string; icon: LucideIcon }>> = {
  llm_call: { label: "Model call", icon: MessageSquareText },
  tool_call: { label: "Tool call", icon: Wrench },
  handoff: { label: "Handoff", icon: ArrowRightLeft },
  round: { label: "Round", icon: CornerDownRight },
  unknown: { label: "Unknown", icon: Hand },
  note: { label: "Note", icon: StickyNote },
  lanes: { label: "Parallel lanes", icon: StretchHorizontal },
  template: { label: "Template", icon: LayoutTemplate },
};
const isOtherKind = (type: string): type is OtherKind => Object.hasOwn(otherKinds, type);

const styleOf = (type: string) => findKindView(type) ?? otherKinds[isOtherKind(type) ? type : "unknown"];

export const labelOfKind = (type: string): string => styleOf(type).label;

/** In the colour of its surroundings: kinds differ by shape. */
export function KindIcon({ kind, size = 14 }: { kind: string; size?: number }) {
  const { icon: Icon } = styleOf(kind);
  return <Icon size={size} aria-hidden className="shrink-0" />;
}

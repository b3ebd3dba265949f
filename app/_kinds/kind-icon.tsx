import { Hand, LayoutTemplate, type LucideIcon, StickyNote, StretchHorizontal } from "lucide-react";
import type { RunNodeKind } from "@/lib/core/run/events/events";
import { kindStyles } from "./kind-styles";
import { type builtInViews, findKindView } from "./registry";

type OtherKind = Exclude<RunNodeKind, keyof typeof builtInViews> | "unknown" | "note" | "lanes" | "template";

/** Steps of a run, and items of the editor. */
const otherKinds: Readonly<Record<OtherKind, { label: string; icon: LucideIcon }>> = {
  llm_call: kindStyles.llm_call,
  tool_call: kindStyles.tool_call,
  handoff: kindStyles.handoff,
  round: kindStyles.round,
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

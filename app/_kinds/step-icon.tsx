import type { RunNodeKind } from "@/lib/core/run/events/events";
import { kindStyles } from "./kind-styles";

export const labelOfStep = (kind: RunNodeKind): string => kindStyles[kind].label;

/** In the colour of its surroundings: kinds differ by shape. */
export function StepIcon({ kind, size = 14 }: { kind: RunNodeKind; size?: number }) {
  const { icon: Icon } = kindStyles[kind];
  return <Icon size={size} aria-hidden className="shrink-0" />;
}

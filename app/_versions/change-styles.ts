import { ArrowRight, type LucideIcon, Minus, PencilLine, Plus } from "lucide-react";
import type { NodeChangeType } from "@/lib/core/source/query/diff-flows";

export const changeStyles: Record<NodeChangeType, { word: string; icon: LucideIcon; color: string }> = {
  added: { word: "Added", icon: Plus, color: "text-success" },
  removed: { word: "Removed", icon: Minus, color: "text-danger" },
  changed: { word: "Changed", icon: PencilLine, color: "text-warning" },
  renamed: { word: "Renamed", icon: ArrowRight, color: "text-accent-text" },
};

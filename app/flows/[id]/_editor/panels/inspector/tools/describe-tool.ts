import {
  ArrowLeftRight,
  BookOpenText,
  Calculator,
  Clock,
  FileDiff,
  FilePen,
  FileText,
  GitCompare,
  Globe,
  type LucideIcon,
  Waypoints,
  Wrench,
} from "lucide-react";
import type { ToolOffer } from "@/lib/core/check/offer";

const icons: ReadonlyMap<string, LucideIcon> = new Map([
  ["calculator", Calculator],
  ["current_time", Clock],
  ["read_page", BookOpenText],
  ["http_request", ArrowLeftRight],
  ["web_search", Globe],
  ["file_read", FileText],
  ["file_write", FilePen],
  ["apply_patch", FileDiff],
  ["get_diffs", GitCompare],
  ["dependency_graph", Waypoints],
]);

export const iconOfTool = (name: string): LucideIcon => icons.get(name) ?? Wrench;

/** Why a tool does not work here, and what can be done; undefined: it works. */
export function whyUnavailable({ missing, isSwitchedOff }: ToolOffer): string | undefined {
  if (isSwitchedOff) return "Switched off in this team. An Admin can switch it on in Settings, Tools.";
  if (missing !== undefined) return `Needs ${missing}, which an administrator sets on the server before a restart.`;
  return undefined;
}

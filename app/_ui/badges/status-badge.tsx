import {
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleSlash,
  CircleX,
  FileX,
  Hourglass,
  LoaderCircle,
  TimerOff,
  Unplug,
} from "lucide-react";
import type { ShownStatus } from "@/lib/core/run/events/run-status";

interface StatusStyle {
  word: string;
  icon: typeof CircleCheck;
  colors: string;
  tint: string;
  spins?: boolean;
}

export const statusStyles: Record<ShownStatus, StatusStyle> = {
  INIT: { word: "Queued", icon: CircleDashed, colors: "bg-idle-soft text-idle", tint: "text-idle" },
  RUNNING: {
    word: "Running",
    icon: LoaderCircle,
    colors: "bg-running-soft text-running",
    tint: "text-running",
    spins: true,
  },
  WAITING: { word: "Waiting", icon: Hourglass, colors: "bg-warning-soft text-warning", tint: "text-warning" },
  PAUSED: { word: "Paused", icon: CirclePause, colors: "bg-idle-soft text-idle", tint: "text-idle" },
  SUCCESS: { word: "Succeeded", icon: CircleCheck, colors: "bg-success-soft text-success", tint: "text-success" },
  FAILED: { word: "Failed", icon: CircleX, colors: "bg-danger-soft text-danger", tint: "text-danger" },
  TIMEOUT: { word: "Timed out", icon: TimerOff, colors: "bg-danger-soft text-danger", tint: "text-danger" },
  INTERRUPTED: { word: "Interrupted", icon: Unplug, colors: "bg-idle-soft text-idle", tint: "text-idle" },
  CANCELLED: { word: "Cancelled", icon: CircleSlash, colors: "bg-idle-soft text-idle", tint: "text-idle" },
  UNREADABLE: { word: "Cannot be read", icon: FileX, colors: "bg-warning-soft text-warning", tint: "text-warning" },
};

const neutralEnds: ReadonlySet<ShownStatus> = new Set(["CANCELLED", "INTERRUPTED", "UNREADABLE"]);

/** A user or a stop of the server ended it, or it cannot be read: nothing of the flow has failed, as far as is known. */
export const isNeutralEnd = (status: ShownStatus): boolean => neutralEnds.has(status);

/** The status without a background, for a column of its own. */
export function StatusWord({ status }: { status: ShownStatus }) {
  const { word, icon: Icon, tint, spins } = statusStyles[status];
  return (
    <span className={`flex items-center gap-1.5 whitespace-nowrap font-medium ${tint}`}>
      <Icon size={14} aria-hidden className={spins ? "animate-spin" : ""} />
      {word}
    </span>
  );
}

export function StatusBadge({ status }: { status: ShownStatus }) {
  const { word, icon: Icon, colors, spins } = statusStyles[status];
  return (
    <span className={`inline-flex h-5 shrink-0 items-center gap-1 rounded-full px-2 font-medium text-xs ${colors}`}>
      <Icon size={12} aria-hidden className={spins ? "animate-spin" : ""} />
      {word}
    </span>
  );
}

import { CircleCheck, CircleDashed, CircleSlash, CircleX, Hourglass, LoaderCircle, TimerOff } from "lucide-react";
import type { RunStatus } from "@/lib/core/run/events";

interface StatusLook {
  word: string;
  icon: typeof CircleCheck;
  /** Of the badge. */
  colors: string;
  /** Of a bar or strip. */
  bar: string;
  spins?: boolean;
}

/** Every status described once: colour, icon and word. */
export const statusLooks: Record<RunStatus, StatusLook> = {
  INIT: { word: "Queued", icon: CircleDashed, colors: "bg-idle-soft text-idle", bar: "bg-idle" },
  RUNNING: {
    word: "Running",
    icon: LoaderCircle,
    colors: "bg-running-soft text-running",
    bar: "bg-running",
    spins: true,
  },
  WAITING: { word: "Waiting", icon: Hourglass, colors: "bg-warning-soft text-warning", bar: "bg-warning" },
  SUCCESS: { word: "Succeeded", icon: CircleCheck, colors: "bg-success-soft text-success", bar: "bg-success" },
  FAILED: { word: "Failed", icon: CircleX, colors: "bg-danger-soft text-danger", bar: "bg-danger" },
  TIMEOUT: { word: "Timed out", icon: TimerOff, colors: "bg-danger-soft text-danger", bar: "bg-danger" },
  CANCELLED: { word: "Cancelled", icon: CircleSlash, colors: "bg-idle-soft text-idle", bar: "bg-idle" },
};

export function StatusBadge({ status }: { status: RunStatus }) {
  const { word, icon: Icon, colors, spins } = statusLooks[status];
  return (
    <span className={`inline-flex h-5 shrink-0 items-center gap-1 rounded-full px-2 font-medium text-xs ${colors}`}>
      <Icon size={12} aria-hidden className={spins ? "animate-spin" : ""} />
      {word}
    </span>
  );
}

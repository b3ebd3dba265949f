import type { ReactNode } from "react";

export type BadgeTone = "idle" | "running" | "success" | "danger" | "warning" | "accent";

export const toneLook: Record<BadgeTone, string> = {
  idle: "bg-idle-soft text-idle",
  running: "bg-running-soft text-running",
  success: "bg-success-soft text-success",
  danger: "bg-danger-soft text-danger",
  warning: "bg-warning-soft text-warning",
  accent: "bg-accent-soft text-accent-text",
};

interface BadgeProps {
  tone?: BadgeTone;
  icon?: ReactNode;
  title?: string;
  children: ReactNode;
}

/** A short word on a tinted ground. */
export function Badge({ tone = "idle", icon, title, children }: BadgeProps) {
  return (
    <span
      title={title}
      className={`inline-flex h-5 shrink-0 items-center gap-1 whitespace-nowrap rounded px-1.5 font-medium text-xs ${toneLook[tone]}`}
    >
      {icon}
      {children}
    </span>
  );
}

import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface BannerProps {
  icon: LucideIcon;
  /** Where it is, and its border. */
  className: string;
  /** Beside the text, where both have room; missing: below it. */
  isRow?: boolean;
  actions: ReactNode;
  children: ReactNode;
}

/** What needs a decision, with the actions that make it. It takes no focus, and stays until it is decided. */
export function Banner({ icon: Icon, className, isRow = false, actions, children }: BannerProps) {
  return (
    <div className={`flex items-start gap-2 border-warning bg-warning-soft px-3 py-2 text-xs ${className}`}>
      <Icon size={15} aria-hidden className="mt-0.5 shrink-0 text-warning" />
      <div className={`min-w-0 flex-1 ${isRow ? "flex flex-wrap items-center gap-x-3 gap-y-1.5" : "grid gap-2"}`}>
        <p>{children}</p>
        <div className="flex flex-wrap gap-2">{actions}</div>
      </div>
    </div>
  );
}

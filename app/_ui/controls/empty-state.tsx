import type { ReactNode } from "react";

export function EmptyState({ icon, title, children }: { icon?: ReactNode; title: string; children: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-16 text-center">
      {icon && <div className="text-text-faint">{icon}</div>}
      <h2 className="font-semibold text-base">{title}</h2>
      <div className="flex max-w-md flex-col items-center gap-3 text-balance text-text-muted">{children}</div>
    </div>
  );
}

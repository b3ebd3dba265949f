import type { ReactNode } from "react";

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="rounded-md border border-line">
      <summary className="cursor-pointer px-2 py-1.5 font-medium text-xs">{title}</summary>
      <div className="border-line border-t p-2">{children}</div>
    </details>
  );
}

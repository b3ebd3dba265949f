import type { ReactNode } from "react";

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="rounded-md border border-line">
      <summary className="cursor-pointer px-2 py-1.5 font-medium text-xs">{title}</summary>
      <div className="border-line border-t p-2">{children}</div>
    </details>
  );
}

/** Looks like a link, for what few users need. */
export function Disclosure({ summary, children }: { summary: string; children: ReactNode }) {
  return (
    <details className="text-xs">
      <summary className="min-h-6 w-fit cursor-pointer text-text-muted leading-6">{summary}</summary>
      {children}
    </details>
  );
}

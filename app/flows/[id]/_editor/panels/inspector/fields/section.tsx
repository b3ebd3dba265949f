import type { ReactNode } from "react";
import { DisclosureLine } from "@/app/_ui/controls/disclosure-line";

interface SectionProps {
  title: string;
  /** What is set in it, beside the title. */
  detail?: string;
  children: ReactNode;
}

/** Fields that few users need. */
export function Section({ title, detail, children }: SectionProps) {
  return (
    <details>
      <DisclosureLine className="-mx-1 min-h-7 rounded px-1 font-medium text-text-muted text-xs hover:text-text">
        {title}
        {detail !== undefined && (
          <span className="ml-auto font-normal text-[11px] text-text-faint tabular-nums">{detail}</span>
        )}
      </DisclosureLine>
      <div className="pt-2 pb-1">{children}</div>
    </details>
  );
}

/** Looks like a link, for what few users need. */
export function Disclosure({ summary, children }: { summary: string; children: ReactNode }) {
  return (
    <details className="text-xs">
      <DisclosureLine className="min-h-6 w-fit text-text-muted">{summary}</DisclosureLine>
      {children}
    </details>
  );
}

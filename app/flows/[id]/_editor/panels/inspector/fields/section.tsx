import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

interface SectionProps {
  title: string;
  /** What is set in it, beside the title. */
  detail?: string;
  children: ReactNode;
}

/** Fields that few users need. */
export function Section({ title, detail, children }: SectionProps) {
  return (
    <details className="group/section">
      <summary className="-mx-1 flex min-h-7 cursor-pointer list-none items-center gap-1.5 rounded px-1 font-medium text-text-muted text-xs hover:text-text [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={14}
          aria-hidden
          className="shrink-0 transition-transform duration-90 group-open/section:rotate-90"
        />
        {title}
        {detail !== undefined && (
          <span className="ml-auto font-normal text-[11px] text-text-faint tabular-nums">{detail}</span>
        )}
      </summary>
      <div className="pt-2 pb-1">{children}</div>
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

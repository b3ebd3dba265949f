import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

/** The line that opens a `details` element: the browsers' own marks differ. */
export const DisclosureLine = ({ className = "", children }: { className?: string; children: ReactNode }) => (
  <summary
    className={`flex cursor-pointer list-none items-center gap-1.5 [&::-webkit-details-marker]:hidden ${className}`}
  >
    <ChevronRight
      size={14}
      aria-hidden
      className="shrink-0 transition-transform duration-90 [details[open]>summary>&]:rotate-90"
    />
    {children}
  </summary>
);

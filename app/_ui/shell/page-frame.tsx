import type { ReactNode } from "react";

const widths = {
  all: "",
  /** For two columns. */
  wide: "lg:max-w-[1152px]",
  /** For forms and short lists. */
  narrow: "max-w-[960px]",
} as const;

interface PageFrameProps {
  width?: keyof typeof widths;
  /** How the children are laid out. */
  className: string;
  children: ReactNode;
}

/** A page below the bar. All begin at one left edge, whatever their width: the title stays where it is from page to page. */
export const PageFrame = ({ width = "all", className, children }: PageFrameProps) => (
  <div className="flex w-full flex-1 flex-col bg-surface-sunken px-4 pt-4 pb-8 sm:px-8">
    <div className={`w-full min-w-0 flex-1 ${widths[width]} ${className}`}>{children}</div>
  </div>
);

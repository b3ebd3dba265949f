"use client";
import type { ReactNode } from "react";
import { Logo } from "@/app/_ui/shell/logo";
import { ThemeToggle } from "@/app/_ui/theme/theme-toggle";

/** The top of a page for visitors. `children`: at the right, before the theme. */
export const VisitorBar = ({ title, children }: { title?: ReactNode; children?: ReactNode }) => (
  <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b bg-surface px-3 py-1">
    <Logo />
    {title}
    <div className="ml-auto flex items-center gap-2">
      {children}
      <ThemeToggle />
    </div>
  </header>
);

interface SharedBarProps {
  /** Missing: the page shows it below. */
  name?: string;
  team: string;
  children?: ReactNode;
}

/** What a visitor sees, and whose it is. */
export const SharedBar = ({ name, team, children }: SharedBarProps) => (
  <VisitorBar
    title={
      <>
        {name !== undefined && <h1 className="min-w-0 truncate font-semibold text-sm">{name}</h1>}
        <p className="min-w-0 truncate text-text-muted text-xs">Shared by {team}</p>
      </>
    }
  >
    {children}
  </VisitorBar>
);

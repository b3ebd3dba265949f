"use client";
import Link from "next/link";
import type { ReactNode } from "react";
import { buttonClass } from "@/app/_ui/controls/button";
import { Logo } from "@/app/_ui/shell/logo";
import { ThemeToggle } from "@/app/_ui/theme/theme-toggle";

interface VisitorBarProps {
  title?: ReactNode;
  /** The path of the page, for those who are not signed in: they come back to it. */
  signInTo?: string | undefined;
  /** At the right, before the theme. */
  children?: ReactNode;
}

/** The top of a page for visitors. */
export const VisitorBar = ({ title, signInTo, children }: VisitorBarProps) => (
  <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b bg-surface px-3 py-1">
    <Link href="/" prefetch={false} className="flex h-8 items-center gap-2 rounded-md px-1 font-semibold text-sm">
      <Logo />
      <span className={title ? "max-md:sr-only" : ""}>Swarmloom</span>
    </Link>
    {title}
    <div className="ml-auto flex items-center gap-2">
      {children}
      {signInTo !== undefined && (
        <Link
          href={`/sign-in?next=${encodeURIComponent(signInTo)}`}
          prefetch={false}
          className={buttonClass("secondary", "small")}
        >
          Sign in
        </Link>
      )}
      <ThemeToggle />
    </div>
  </header>
);

interface SharedBarProps extends Omit<VisitorBarProps, "title"> {
  /** Missing: the page shows it below. */
  name?: string;
  team: string;
}

/** What a visitor sees, and whose it is. */
export const SharedBar = ({ name, team, ...bar }: SharedBarProps) => (
  <VisitorBar
    {...bar}
    title={
      <>
        {name !== undefined && <h1 className="min-w-0 truncate font-semibold text-sm">{name}</h1>}
        <p className="min-w-0 truncate text-text-muted text-xs">Shared by {team}</p>
      </>
    }
  />
);

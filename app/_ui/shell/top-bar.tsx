"use client";
import { CircleQuestionMark } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { ThemeToggle } from "../theme/theme-toggle";
import { findHelp } from "./find-help";
import { InboxLink } from "./inbox-link";
import { Logo } from "./logo";

const links = [
  { href: "/", label: "Flows", isAt: (path: string) => path === "/" || path.startsWith("/flows") },
  { href: "/runs", label: "Runs", isAt: (path: string) => path.startsWith("/runs") },
  { href: "/triggers", label: "Triggers", isAt: (path: string) => path.startsWith("/triggers") },
  { href: "/settings", label: "Settings", isAt: (path: string) => /^\/(settings|audit)(\/|$)/.test(path) },
] as const;

/** The editor of a flow, the page of a run and what a link shows have bars of their own. */
export const hasOwnBar = (path: string): boolean =>
  /^\/(?:(?:flows|s|embed|gallery)\/[^/]+|runs\/(?!compare$|open$)[^/]+)$/.test(path);

/** `menu`: of the account, where people sign in. */
export function TopBar({ menu }: { menu: ReactNode }) {
  return hasOwnBar(usePathname()) ? null : <AppBar menu={menu} />;
}

export function AppBar({ menu }: { menu?: ReactNode }) {
  const path = usePathname();
  return (
    <header className="flex h-11 shrink-0 items-center gap-1 border-b bg-surface px-3 max-[479px]:gap-0 max-[479px]:px-2">
      <a href="#main" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-surface focus:p-2">
        Skip to content
      </a>
      <Link
        href="/"
        className="mr-3 flex h-8 shrink-0 items-center gap-2 rounded-md px-1 font-semibold text-sm max-[479px]:mr-0"
      >
        <Logo />
        <span className="max-[479px]:sr-only">Swarmloom</span>
      </Link>
      <nav aria-label="Main" className="flex min-w-0 gap-1 overflow-x-auto max-[479px]:gap-0">
        {links.map(({ href, label, isAt }) => (
          <Link
            key={href}
            href={href}
            aria-current={isAt(path) ? "page" : undefined}
            className="flex h-8 items-center rounded-md px-2.5 font-medium text-text-muted transition-colors hover:bg-surface-hover hover:text-text aria-[current=page]:bg-surface-hover aria-[current=page]:text-text max-[479px]:px-1.5"
          >
            {label}
          </Link>
        ))}
      </nav>
      <div className="ml-auto flex shrink-0 items-center gap-1 max-[479px]:gap-0">
        <HelpLink path={path} />
        <InboxLink />
        <ThemeToggle />
        {menu}
      </div>
    </header>
  );
}

const HelpLink = ({ path }: { path: string }) => (
  <a
    href={findHelp(path)}
    aria-label="Help"
    title="Help"
    className="grid size-8 shrink-0 place-items-center rounded-md text-text-muted hover:bg-surface-hover hover:text-text"
  >
    <CircleQuestionMark size={16} aria-hidden />
  </a>
);

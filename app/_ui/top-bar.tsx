"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { Logo } from "./logo";
import type { Theme } from "./theme";
import { ThemeToggle } from "./theme-toggle";

const places = [
  { href: "/", label: "Flows", owns: (path: string) => path === "/" || path.startsWith("/flows") },
  { href: "/runs", label: "Runs", owns: (path: string) => path.startsWith("/runs") },
] as const;

/** What stands above every page: where one is, where one can go. */
export function TopBar({ theme }: { theme: Theme }) {
  const path = usePathname();
  return (
    <header className="flex h-11 shrink-0 items-center gap-4 border-line border-b bg-surface px-3 sm:px-4">
      <Link href="/" className="flex items-center gap-2 rounded font-semibold text-[14px] tracking-[-0.01em]">
        <Logo />
        <span className="max-[359px]:sr-only">Swarmloom</span>
      </Link>
      <nav aria-label="Main" className="flex h-full items-stretch gap-1">
        {places.map(({ href, label, owns }) => (
          <Link
            key={href}
            href={href}
            aria-current={owns(path) ? "page" : undefined}
            className="relative flex items-center rounded px-2 font-medium text-text-muted -outline-offset-4 transition-colors hover:text-text aria-[current=page]:text-text aria-[current=page]:after:absolute aria-[current=page]:after:inset-x-2 aria-[current=page]:after:-bottom-px aria-[current=page]:after:h-0.5 aria-[current=page]:after:bg-accent"
          >
            {label}
          </Link>
        ))}
      </nav>
      <div className="ml-auto">
        <ThemeToggle initial={theme} />
      </div>
    </header>
  );
}

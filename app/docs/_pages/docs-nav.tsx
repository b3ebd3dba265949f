import Link from "next/link";
import type { ReactNode } from "react";
import { type DocPage, docPages } from "./doc-pages";

/** Beside a page of the docs: the other pages, and the parts of this one if it lists them. */
export const DocsNav = ({ current, children }: { current: DocPage | "api"; children?: ReactNode }) => (
  <div className="sticky top-4 flex flex-col gap-4 max-lg:static max-lg:border-t max-lg:pt-3 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto">
    <nav aria-label="Docs" className="flex flex-col gap-0.5">
      {Object.entries(docPages).map(([name, title]) => (
        <Link
          key={name}
          href={`/docs/${name}`}
          aria-current={name === current ? "page" : undefined}
          className={docLinkStyle}
        >
          {title}
        </Link>
      ))}
      <Link href="/docs/api" aria-current={current === "api" ? "page" : undefined} className={docLinkStyle}>
        API reference
      </Link>
    </nav>
    {children}
  </div>
);

export const docLinkStyle =
  "flex min-h-8 shrink-0 items-center rounded-md px-2.5 font-medium text-text-muted hover:bg-surface-hover hover:text-text aria-[current=page]:bg-surface-hover aria-[current=page]:text-text";

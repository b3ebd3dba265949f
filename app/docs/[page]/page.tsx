import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { PageFrame } from "@/app/_ui/shell/page-frame";
import { getViewer } from "@/app/_viewer/get-viewer";
import { type DocPage, docPages, isDocPage } from "@/app/docs/_pages/doc-pages";
import { DocText } from "@/app/docs/_pages/doc-text";
import { getProjectFolder } from "@/lib/server/env";

export async function generateMetadata({ params }: PageProps<"/docs/[page]">): Promise<Metadata> {
  const { page } = await params;
  return { title: isDocPage(page) ? docPages[page] : "Page not found" };
}

/** A page of the docs as this version has it. */
export default async function DocumentPage({ params }: PageProps<"/docs/[page]">) {
  await getViewer();
  const { page } = await params;
  if (!isDocPage(page)) notFound();
  const text = await readFile(path.join(getProjectFolder(), "app/docs/_content", `${page}.md`), "utf8");
  return (
    <PageFrame
      width="wide"
      className="grid content-start items-start gap-x-8 gap-y-3 lg:grid-cols-[minmax(0,1fr)_180px]"
    >
      <DocText text={text} />
      <PageNav current={page} />
    </PageFrame>
  );
}

const PageNav = ({ current }: { current: DocPage }) => (
  <nav aria-label="Docs" className="sticky top-4 flex flex-col gap-0.5 max-lg:static max-lg:border-t max-lg:pt-3">
    {Object.entries(docPages).map(([name, title]) => (
      <Link
        key={name}
        href={`/docs/${name}`}
        aria-current={name === current ? "page" : undefined}
        className={linkStyle}
      >
        {title}
      </Link>
    ))}
    <Link href="/docs/api" className={linkStyle}>
      API reference
    </Link>
  </nav>
);

const linkStyle =
  "flex min-h-8 items-center rounded-md px-2.5 font-medium text-text-muted hover:bg-surface-hover hover:text-text aria-[current=page]:bg-surface-hover aria-[current=page]:text-text";

import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PageFrame } from "@/app/_ui/shell/page-frame";
import { getViewer } from "@/app/_viewer/get-viewer";
import { docPages, isDocPage } from "@/app/docs/_pages/doc-pages";
import { DocText } from "@/app/docs/_pages/doc-text";
import { DocsNav } from "@/app/docs/_pages/docs-nav";
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
      <DocsNav current={page} />
    </PageFrame>
  );
}

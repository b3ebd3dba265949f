import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { readShared } from "@/app/_share/read-shared";
import { StillCanvas } from "@/app/_share/still-canvas";
import { findAccountVisitor } from "@/app/_viewer/get-viewer";

export const metadata: Metadata = { title: "Flow", robots: { index: false, follow: false }, referrer: "no-referrer" };

/** The canvas of a shared flow, for a frame in another page. */
export default async function EmbedPage({ params }: PageProps<"/embed/[token]">) {
  await findAccountVisitor();
  const { token } = await params;
  const shared = await readShared(token);
  if (shared.type !== "flow") notFound();
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <h1 className="sr-only">{shared.name}</h1>
      <StillCanvas source={shared.source} layout={shared.layout} />
      <a
        href={`/s/${token}`}
        target="_blank"
        rel="noopener"
        className="absolute bottom-2 left-2 z-10 rounded-md border bg-surface px-2 py-1 font-medium text-xs shadow-card hover:bg-surface-hover"
      >
        {shared.name} on Swarmloom
      </a>
    </div>
  );
}

import { GalleryHorizontalEnd } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { FlowThumbnailPicture } from "@/app/_flows/thumbnail/flow-thumbnail";
import { VisitorBar } from "@/app/_share/shared-bar";
import { buttonClass } from "@/app/_ui/controls/button";
import { EmptyState } from "@/app/_ui/controls/empty-state";
import { PageFrame } from "@/app/_ui/shell/page-frame";
import { findAccountVisitor } from "@/app/_viewer/get-viewer";
import { countNouns } from "@/lib/core/flow/format-count";
import { getOwnOrigin } from "@/lib/server/auth/team-mode";
import { listGallery } from "@/lib/server/share-links/gallery";

const [title, description] = ["Gallery", "Swarms of LLM agents to view, and to copy into your own team."];

export const generateMetadata = (): Metadata => ({
  title,
  description,
  metadataBase: new URL(getOwnOrigin()),
  alternates: { canonical: "/gallery" },
  openGraph: { title, description, siteName: "Swarmloom", type: "website", url: "/gallery" },
});

const mostPages = 10_000;

function readPage(text: string | string[] | undefined): number {
  const page = Number(text);
  return Number.isInteger(page) && page >= 1 && page <= mostPages ? page : 1;
}

/** The flows that teams show to everyone. */
export default async function GalleryPage({ searchParams }: PageProps<"/gallery">) {
  const viewer = await findAccountVisitor();
  const page = readPage((await searchParams).page);
  const { flows, hasMore } = await listGallery(page);
  return (
    <>
      {!viewer && <VisitorBar signInTo="/gallery" />}
      <PageFrame className="flex flex-col gap-5">
        <div>
          <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
          <p className="text-text-muted">{description}</p>
        </div>
        {flows.length === 0 ? (
          <EmptyState icon={<GalleryHorizontalEnd size={32} aria-hidden />} title="Nothing here yet">
            <p>An Admin shows a flow here under Share in its editor.</p>
          </EmptyState>
        ) : (
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,304px),1fr))] gap-5">
            {flows.map(({ id, name, team, agents, picture }) => (
              <li key={id} className="relative rounded-lg border bg-surface p-4 shadow-card hover:border-line-strong">
                <div className="mb-3 h-36 overflow-hidden rounded-md bg-canvas">
                  <FlowThumbnailPicture picture={picture} />
                </div>
                <h2 className="truncate font-semibold">
                  <Link href={`/gallery/${id}`} className="after:absolute after:inset-0 after:rounded-lg">
                    {name}
                  </Link>
                </h2>
                <p className="truncate text-text-muted text-xs">
                  {team}, {countNouns(agents, "agent")}
                </p>
              </li>
            ))}
          </ul>
        )}
        <nav aria-label="Pages of the gallery" className="flex gap-3 empty:hidden">
          {page > 1 && (
            <Link href={`/gallery?page=${page - 1}`} rel="prev" className={buttonClass()}>
              Newer
            </Link>
          )}
          {hasMore && (
            <Link href={`/gallery?page=${page + 1}`} rel="next" className={buttonClass()}>
              Older
            </Link>
          )}
        </nav>
      </PageFrame>
    </>
  );
}

import type { Metadata } from "next";
import { mayCopy } from "@/app/_share/may-copy";
import { readGalleryFlow } from "@/app/_share/read-shared";
import { SharedFlow } from "@/app/_share/shared-flow";
import { findAccountVisitor } from "@/app/_viewer/get-viewer";
import { countNouns } from "@/lib/core/flow/format-count";
import { getOwnOrigin } from "@/lib/server/auth/team-mode";

export async function generateMetadata({ params }: PageProps<"/gallery/[id]">): Promise<Metadata> {
  const { id } = await params;
  const { name, team, agents, description: text } = await readGalleryFlow(id);
  const description = text ?? `${countNouns(agents, "agent")}, drawn by ${team} with Swarmloom.`;
  const url = `/gallery/${id}`;
  return {
    title: name,
    description,
    metadataBase: new URL(getOwnOrigin()),
    alternates: { canonical: url },
    openGraph: { title: name, description, siteName: "Swarmloom", type: "article", url },
    twitter: { card: "summary_large_image", title: name, description },
  };
}

/** A flow that everyone may see and copy. */
export default async function GalleryFlowPage({ params }: PageProps<"/gallery/[id]">) {
  const viewer = await findAccountVisitor();
  const { id } = await params;
  const flow = await readGalleryFlow(id);
  const signInTo = viewer === null ? `/gallery/${id}` : undefined;
  return <SharedFlow flow={flow} from={{ flow: id }} runs={null} mayCopy={mayCopy(viewer)} signInTo={signInTo} />;
}

import type { Metadata } from "next";
import { mayCopy } from "@/app/_share/may-copy";
import { readShared } from "@/app/_share/read-shared";
import { SharedFlow } from "@/app/_share/shared-flow";
import { findAccountVisitor } from "@/app/_viewer/get-viewer";
import { SharedRun } from "./_shared/shared-run";

export async function generateMetadata({ params }: PageProps<"/s/[token]">): Promise<Metadata> {
  const { name, team, type } = await readShared((await params).token);
  const description = type === "flow" ? `A flow of ${team}, drawn with Swarmloom.` : `A run of a flow of ${team}.`;
  return {
    title: name,
    description,
    openGraph: { title: name, description, siteName: "Swarmloom", type: "article" },
    robots: { index: false, follow: false },
    referrer: "no-referrer",
  };
}

/** What a share link shows, to everyone who has it. */
export default async function SharedPage({ params }: PageProps<"/s/[token]">) {
  const viewer = await findAccountVisitor();
  const { token } = await params;
  const shared = await readShared(token);
  const signInTo = viewer === null ? `/s/${token}` : undefined;
  if (shared.type === "run") return <SharedRun token={token} shared={shared} signInTo={signInTo} />;
  const { runsLeft: left, ...flow } = shared;
  return (
    <SharedFlow
      flow={flow}
      from={{ token }}
      runs={left === null ? null : { token, left }}
      mayCopy={mayCopy(viewer)}
      signInTo={signInTo}
    />
  );
}

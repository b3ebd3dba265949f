import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { PageScope } from "@/app/_ui/access/page-scope";
import { getViewer } from "@/app/_viewer/get-viewer";
import { AppError } from "@/lib/server/app-error";
import { toFlowAccess } from "@/lib/server/auth/access";
import { getShownRun } from "@/lib/server/runs/read/trace-queries";
import { StoredRun } from "./_stored-run/stored-run";
import { UnreadableRun } from "./_stored-run/unreadable-run";

/** Null: its stored record cannot be read. */
const readRun = cache(async (id: string) => {
  const viewer = await getViewer();
  return getShownRun(viewer, id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "not_found") notFound();
    if (error instanceof AppError && error.code === "unreadable") return null;
    throw error;
  });
});

export async function generateMetadata({ params }: PageProps<"/runs/[id]">): Promise<Metadata> {
  const shown = await readRun((await params).id);
  return { title: shown ? `Run of ${shown.run.flowName}` : "Run that cannot be read" };
}

export default async function RunPage({ params }: PageProps<"/runs/[id]">) {
  const shown = await readRun((await params).id);
  if (!shown) return <UnreadableRun />;
  const { teamId, ...run } = shown;
  const access = toFlowAccess(await getViewer(), { id: run.run.flowId, teamId });
  return (
    <PageScope access={access}>
      <StoredRun key={run.run.id} {...run} />
    </PageScope>
  );
}

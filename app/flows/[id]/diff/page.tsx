import { GitCompareArrows } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { cache } from "react";
import { PageScope } from "@/app/_ui/access/page-scope";
import { buttonClass } from "@/app/_ui/controls/button";
import { EmptyState } from "@/app/_ui/controls/empty-state";
import { PageGround } from "@/app/_ui/shell/page-ground";
import { getViewer } from "@/app/_viewer/get-viewer";
import { AppError } from "@/lib/server/app-error";
import { toFlowAccess } from "@/lib/server/auth/access";
import { compareRevisions } from "@/lib/server/flows/compare-revisions";
import { getLiveFlow } from "@/lib/server/flows/queries";
import { DiffView } from "./_diff/diff-view";
import { readDiffMode } from "./_diff/modes";

const readFlow = cache(async (id: string) =>
  getLiveFlow(await getViewer(), "flows:read", id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "not_found") notFound();
    throw error;
  }),
);

const readComparison = cache(async (id: string, from: string, to: string) =>
  compareRevisions(await getViewer(), id, { from, to }).catch((error: unknown) => {
    if (error instanceof AppError) return error.message;
    throw error;
  }),
);

const readParam = (param: string | string[] | undefined, missing: string): string =>
  typeof param === "string" && param !== "" ? param : missing;

type DiffPageProps = PageProps<"/flows/[id]/diff">;

async function readPage({ params, searchParams }: DiffPageProps) {
  const [{ id }, { from, to, view }] = await Promise.all([params, searchParams]);
  const flow = await readFlow(id);
  const comparison = await readComparison(id, readParam(from, "published"), readParam(to, "latest"));
  return { flow, comparison, mode: readDiffMode(view) };
}

export async function generateMetadata(props: DiffPageProps): Promise<Metadata> {
  const { comparison } = await readPage(props);
  if (typeof comparison === "string") return { title: "Compare versions" };
  return { title: `${comparison.name}, v${comparison.from.number} and v${comparison.to.number}` };
}

/** `/flows/ID/diff?from=REVISION&to=REVISION`: each an id, `published` or `latest`. `view`: `overlay`, `fields` or `text`. */
export default async function DiffPage(props: DiffPageProps) {
  const viewer = await getViewer();
  const { flow, comparison, mode } = await readPage(props);
  return (
    <PageScope access={toFlowAccess(viewer, flow)}>
      {typeof comparison === "string" ? (
        <NoComparison why={comparison} />
      ) : (
        <DiffView flowId={flow.id} comparison={comparison} mode={mode} />
      )}
    </PageScope>
  );
}

const NoComparison = ({ why }: { why: string }) => (
  <PageGround>
    <EmptyState icon={<GitCompareArrows size={32} aria-hidden />} title="These versions cannot be compared">
      <p>{why}</p>
      <Link href="/" className={buttonClass("primary")}>
        Go to the flows
      </Link>
    </EmptyState>
  </PageGround>
);

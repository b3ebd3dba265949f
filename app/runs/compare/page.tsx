import { GitCompareArrows } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { buttonClass } from "@/app/_ui/controls/button";
import { EmptyState } from "@/app/_ui/controls/empty-state";
import { PageGround } from "@/app/_ui/shell/page-ground";
import { getViewer } from "@/app/_viewer/get-viewer";
import { CompareView } from "@/app/runs/compare/_compare/compare-view";
import { AppError } from "@/lib/server/app-error";
import { compareRuns, readRunIds } from "@/lib/server/runs/read/compare-runs";

export const metadata: Metadata = { title: "Compare runs" };

/** Longest displayed excerpt of an input, in UTF-16 units. */
const shownOfInput = 300;

const readParam = (param: string | string[] | undefined): string => (typeof param === "string" ? param : "");

/** `/runs/compare?runs=ID,ID`: the first is the base. `with`: index of the run that it is compared to; `step`: a path. `outputs`: `columns` or `words`. */
export default async function ComparePage({ searchParams }: PageProps<"/runs/compare">) {
  const viewer = await getViewer();
  const params = await searchParams;
  const ids = readRunIds(readParam(params.runs));
  const comparison = await compareRuns(viewer, ids).catch((error: unknown) => {
    if (error instanceof AppError) return error.message;
    throw error;
  });
  if (typeof comparison === "string") return <NoComparison why={comparison} />;
  const against = Number(readParam(params.with));
  const view = readParam(params.outputs);
  return (
    <CompareView
      key={ids.join()}
      runs={comparison.runs.map((run) => ({ ...run, input: { text: run.input.text.slice(0, shownOfInput) } }))}
      others={comparison.others}
      against={Number.isInteger(against) && against >= 1 && against < ids.length ? against : 1}
      step={readParam(params.step) || null}
      view={view === "columns" || view === "words" ? view : null}
    />
  );
}

function NoComparison({ why }: { why: string }) {
  return (
    <PageGround>
      <EmptyState icon={<GitCompareArrows size={32} aria-hidden />} title="These runs cannot be compared">
        <p>{why}</p>
        <p>Select two to six runs in the run list and press Compare.</p>
        <Link href="/runs" className={buttonClass("primary")}>
          Go to the runs
        </Link>
      </EmptyState>
    </PageGround>
  );
}

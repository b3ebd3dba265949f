import type { Metadata } from "next";
import { PageScope } from "@/app/_ui/access/page-scope";
import { getTeamViewer } from "@/app/_viewer/get-viewer";
import { readRunFilter } from "@/lib/core/trace/model/run-filter";
import { toTeamScope } from "@/lib/server/auth/access";
import { listFlowNames } from "@/lib/server/flows/queries";
import { listRunChoices, listRuns, readCursorParam } from "@/lib/server/runs/read/list-runs";
import { RunList } from "./_run-list/run-list";

export const metadata: Metadata = { title: "Runs" };

/** Longest beginning of an input that a row shows, in UTF-16 units. */
const shownOfInput = 300;

export default async function RunsPage({ searchParams }: PageProps<"/runs">) {
  const viewer = await getTeamViewer();
  const params = await searchParams;
  const filter = readRunFilter(params);
  const before = readCursorParam(params.before);
  const [{ runs, next }, flows, choices] = await Promise.all([
    listRuns(viewer, { ...filter, before }),
    listFlowNames(viewer),
    listRunChoices(viewer),
  ]);
  const listedRuns = runs.map((run) => ({ ...run, input: { text: run.input.text.slice(0, shownOfInput) } }));
  return (
    <PageScope {...toTeamScope(viewer)}>
      <RunList
        runs={listedRuns}
        next={next}
        choices={{ ...choices, flows }}
        filter={filter}
        isFirst={before === undefined}
      />
    </PageScope>
  );
}

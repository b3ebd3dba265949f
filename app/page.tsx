import type { Metadata } from "next";
import { cookies } from "next/headers";
import { toTeamScope } from "@/lib/server/auth/access";
import { countFlows, listFlows } from "@/lib/server/flows/list-flows";
import { demoInput } from "@/lib/templates/demo-input";
import { FlowList } from "./_flows/list/flow-list";
import { listViewCookie, readListAddress, readListView } from "./_flows/list/list-address";
import { PageScope } from "./_ui/access/page-scope";
import { getTeamViewer } from "./_viewer/get-viewer";

export const metadata: Metadata = { title: "Flows" };

export default async function FlowsPage({ searchParams }: PageProps<"/">) {
  const viewer = await getTeamViewer();
  const scope = toTeamScope(viewer);
  const address = readListAddress(await searchParams);
  const { q, tag, sort, show: limit } = address;
  const [page, counts] = await Promise.all([
    listFlows(viewer, { q, tag: tag === "" ? undefined : tag, sort, limit }),
    countFlows(viewer),
  ]);
  return (
    <PageScope {...scope}>
      <FlowList
        page={page}
        counts={counts}
        address={address}
        initialView={readListView((await cookies()).get(listViewCookie)?.value)}
        demoInput={demoInput}
      />
    </PageScope>
  );
}

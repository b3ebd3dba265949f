import type { Metadata } from "next";
import { headers } from "next/headers";
import { PageScope } from "@/app/_ui/access/page-scope";
import { getTeamViewer } from "@/app/_viewer/get-viewer";
import { toTeamScope } from "@/lib/server/auth/access";
import { findLinkOrigin, isTeamMode } from "@/lib/server/auth/team-mode";
import { listFlowNames } from "@/lib/server/flows/queries";
import { listSchedules } from "@/lib/server/schedules/queries";
import { listWebhooks } from "@/lib/server/webhooks/queries";
import { TriggersView } from "./_triggers/triggers-view";

export const metadata: Metadata = { title: "Triggers" };

export default async function TriggersPage({ searchParams }: PageProps<"/triggers">) {
  const viewer = await getTeamViewer();
  const { flow } = await searchParams;
  const [schedules, webhooks, flows] = await Promise.all([
    listSchedules(viewer),
    listWebhooks(viewer),
    listFlowNames(viewer),
  ]);
  const liveFlows = flows.filter(({ isInTrash }) => !isInTrash);
  const chosen = liveFlows.find(({ id }) => id === flow) ?? null;
  const linkOrigin = isTeamMode() ? findLinkOrigin() : null;
  const origin = linkOrigin ?? `http://${(await headers()).get("host")}`;
  const scope = toTeamScope(viewer);
  const editableFlows = liveFlows.filter(({ id }) => (scope.flows[id] ?? scope.access).mayEdit);
  return (
    <PageScope {...scope}>
      <TriggersView initial={{ schedules, webhooks }} flows={editableFlows} chosenFlow={chosen} origin={origin} />
    </PageScope>
  );
}

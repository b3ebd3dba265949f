import type { Metadata } from "next";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { cache } from "react";
import { usualViewSize } from "@/app/_canvas/first-picture/draw-first-picture";
import { FirstPicture } from "@/app/_canvas/first-picture/first-picture";
import type { ViewArea } from "@/app/_canvas/state/flow-state";
import { TrashedFlow } from "@/app/_flows/trash/trashed-flow";
import { PageScope } from "@/app/_ui/access/page-scope";
import { getViewer } from "@/app/_viewer/get-viewer";
import { toOfferedTools } from "@/lib/core/check/offer";
import { countNodes } from "@/lib/core/layout/count-nodes";
import { longestPacked } from "@/lib/core/source/read/pack-reading";
import { AppError } from "@/lib/server/app-error";
import { toFlowAccess } from "@/lib/server/auth/access";
import { listOwnProviders } from "@/lib/server/connections/personal-keys";
import { packFlowText } from "@/lib/server/cpu-worker/read-flow-text";
import { findTrashedFlow, getFlow } from "@/lib/server/flows/queries";
import { listUsualModels } from "@/lib/server/models/model-offers";
import { currentOffer, listTeamProviders } from "@/lib/server/offer";
import { listRuns, readLastInput } from "@/lib/server/runs/read/list-runs";
import type { RunSummary } from "@/lib/server/runs/read/queries";
import { listTeamTools } from "@/lib/server/tools/registry";
import { FlowEditor } from "./_editor/shell/flow-editor";
import type { RunFigures } from "./_editor/state/shown-run";

const readFlow = cache(async (id: string) => {
  const viewer = await getViewer();
  try {
    const [flow, { runs }] = await Promise.all([getFlow(viewer, id), listRuns(viewer, { flow: id, limit: 1 })]);
    return { type: "flow" as const, flow, lastRun: runs[0] };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "not_found") throw error;
    const trashed = await findTrashedFlow(viewer, id);
    if (!trashed) notFound();
    return { type: "trashed" as const, flow: trashed };
  }
});

export async function generateMetadata({ params }: PageProps<"/flows/[id]">): Promise<Metadata> {
  const { flow } = await readFlow((await params).id);
  return { title: flow.name };
}

async function findRunOf(flowId: string, named: string | string[] | undefined): Promise<RunSummary | undefined> {
  if (typeof named !== "string") return undefined;
  const { runs } = await listRuns(await getViewer(), { id: named, flow: flowId, limit: 1 });
  return runs[0];
}

const mostOpened = 6_000;

const toText = (param: string | string[] | undefined): string | null => (typeof param === "string" ? param : null);

const toFigures = ({ id, status, durationMs, usage, simulated, error }: RunSummary): RunFigures => ({
  id,
  status,
  durationMs,
  usage,
  simulated,
  errorCode: error?.code,
});

/** Of the canvas in a usual window: no header tells the real size. The panel of a run takes its lower part. */
async function guessCanvasSize(hasRun: boolean): Promise<ViewArea> {
  const isPhone = /\bMobi/.test((await headers()).get("user-agent") ?? "");
  const { width, height } = isPhone ? { width: 390, height: 677 } : usualViewSize;
  return { width, height: hasRun ? height - 304 : height };
}

export default async function FlowPage({ params, searchParams }: PageProps<"/flows/[id]">) {
  const { id } = await params;
  const stored = await readFlow(id);
  if (stored.type === "trashed") return <TrashedFlow id={id} name={stored.flow.name} />;
  const { flow, lastRun } = stored;
  const { source, layout, revision, copiedFrom } = flow;
  const viewer = await getViewer();
  const access = toFlowAccess(viewer, flow);
  const providers = listTeamProviders(flow.teamId);
  const { run, select, comment, version, open } = await searchParams;
  const shownRun = (await findRunOf(id, run)) ?? (lastRun?.endedAt === null ? lastRun : undefined);
  const figuredRun = shownRun ?? lastRun;
  const { costCeiling } = currentOffer();
  const tools = listTeamTools(flow.teamId);
  const offer = { providers, ...toOfferedTools(tools), costCeiling };
  const document =
    source.length > longestPacked
      ? null
      : await packFlowText(source, offer, { teamId: flow.teamId, userId: viewer.id });
  // Rendering arranges all nodes: more of them are opened by the browser alone, so that they hold no other request up.
  const isOpenedHere = document !== null && countNodes(document.flow, layout, mostOpened) <= mostOpened;
  const seed = {
    id,
    source,
    packedReading: isOpenedHere ? document.packed : null,
    layout,
    revision,
    copiedFrom,
    providers,
    tools,
    models: listUsualModels(providers),
    costCeiling,
    ownProviders: listOwnProviders(viewer.id),
    shownRun: shownRun?.id ?? null,
    selected: toText(select),
    comment: toText(comment),
    version: toText(version),
    open: toText(open),
    lastRun: lastRun?.id ?? null,
    lastInput: await readLastInput(viewer, id),
    figures: figuredRun && toFigures(figuredRun),
    access,
  };
  const size = await guessCanvasSize(shownRun !== undefined);
  const picture = isOpenedHere && <FirstPicture flow={document.flow} layout={layout} size={size} />;
  return (
    <PageScope access={access}>
      <FlowEditor key={id} seed={seed} picture={picture} />
    </PageScope>
  );
}

import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { getViewer } from "@/app/_viewer/get-viewer";
import { AppError } from "@/lib/server/app-error";
import { getFlow } from "@/lib/server/flows/queries";
import { listUsualModels } from "@/lib/server/models/model-offers";
import { listProviders } from "@/lib/server/models/model-port";
import { currentOffer } from "@/lib/server/offer";
import { listRuns } from "@/lib/server/runs/read/list-runs";
import { listTools } from "@/lib/server/tools/registry";
import { FlowEditor } from "./_editor/shell/flow-editor";

const readFlow = cache(async (id: string) => {
  const viewer = await getViewer();
  try {
    const [flow, { runs }] = await Promise.all([getFlow(viewer, id), listRuns(viewer, { flow: id, limit: 1 })]);
    return { flow, lastRun: runs[0] };
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") notFound();
    throw error;
  }
});

export async function generateMetadata({ params }: PageProps<"/flows/[id]">): Promise<Metadata> {
  const { flow } = await readFlow((await params).id);
  return { title: flow.name };
}

async function findRunOf(flowId: string, named: string | string[] | undefined): Promise<string | undefined> {
  if (typeof named !== "string") return undefined;
  const { runs } = await listRuns(await getViewer(), { id: named, flow: flowId, limit: 1 });
  return runs[0]?.id;
}

export default async function FlowPage({ params, searchParams }: PageProps<"/flows/[id]">) {
  const { flow, lastRun } = await readFlow((await params).id);
  const { id, source, layout, revision } = flow;
  const active = lastRun?.endedAt === null ? lastRun.id : null;
  const { run, select } = await searchParams;
  const seed = {
    id,
    source,
    layout,
    revision,
    providers: listProviders(),
    tools: listTools(),
    models: listUsualModels(),
    costCeiling: currentOffer().costCeiling,
    shownRun: (await findRunOf(id, run)) ?? active,
    selected: typeof select === "string" ? select : null,
    lastRun: lastRun?.id ?? null,
    lastInput: lastRun?.input.length === undefined ? (lastRun?.input.text ?? "") : "",
  };
  return <FlowEditor key={id} seed={seed} />;
}

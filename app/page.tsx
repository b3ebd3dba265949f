import type { Metadata } from "next";
import { listFlows } from "@/lib/server/flows/queries";
import { demoInput } from "@/lib/templates/demo-input";
import { listTemplates } from "@/lib/templates/files";
import { FlowList } from "./_flows/flow-list";
import { getViewer } from "./_viewer/get-viewer";

export const metadata: Metadata = { title: "Flows" };

export default async function FlowsPage() {
  const viewer = await getViewer();
  return <FlowList flows={await listFlows(viewer)} demoInput={demoInput} templates={listTemplates()} />;
}

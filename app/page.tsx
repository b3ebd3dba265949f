import type { Metadata } from "next";
import { headers } from "next/headers";
import { requireViewer } from "@/lib/server/auth/local";
import { listFlows } from "@/lib/server/flows/queries";
import { demoInput } from "@/lib/templates/demo-input";
import { listTemplates } from "@/lib/templates/files";
import { FlowList } from "./_flows/flow-list";

export const metadata: Metadata = { title: "Flows" };

export default async function FlowsPage() {
  const viewer = requireViewer(await headers());
  return <FlowList flows={await listFlows(viewer)} demoInput={demoInput} templates={listTemplates()} />;
}

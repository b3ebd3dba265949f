import type { Metadata } from "next";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { getViewer } from "@/app/_viewer/get-viewer";
import { OpenRun } from "./_open-run/open-run";

export const metadata: Metadata = { title: "Open a run file" };

export default async function OpenRunPage() {
  await getViewer();
  return (
    <NuqsAdapter>
      <OpenRun />
    </NuqsAdapter>
  );
}

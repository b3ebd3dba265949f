import type { Metadata } from "next";
import { getViewer } from "@/app/_viewer/get-viewer";
import { OpenRun } from "./_open-run/open-run";

export const metadata: Metadata = { title: "Open a run file" };

/** A run of a file, read in the browser alone. */
export default async function OpenRunPage() {
  await getViewer();
  return <OpenRun />;
}

import type { Metadata } from "next";
import { headers } from "next/headers";
import { requireViewer } from "@/lib/server/auth/local";
import { OpenRun } from "./_open-run/open-run";

export const metadata: Metadata = { title: "Open a run file" };

/** A run of a file, read in the browser alone. */
export default async function OpenRunPage() {
  requireViewer(await headers());
  return <OpenRun />;
}

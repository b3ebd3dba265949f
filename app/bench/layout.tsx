import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { getViewer } from "@/app/_viewer/get-viewer";
import { getEnv } from "@/lib/server/env";

export default async function BenchLayout({ children }: { children: ReactNode }) {
  await getViewer();
  if (getEnv().SWARMLOOM_BENCH !== "1") notFound();
  return children;
}

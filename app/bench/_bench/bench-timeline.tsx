"use client";

import dynamic from "next/dynamic";
import type { TimelineQuery } from "./read-query";

const LargeRun = dynamic(() => import("./large-run"), { ssr: false });

export function BenchTimeline(props: { query: TimelineQuery }) {
  return <LargeRun {...props} />;
}

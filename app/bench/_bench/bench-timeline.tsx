"use client";

import dynamic from "next/dynamic";
import type { TimelineQuery } from "./read-query";

/** Made in the browser only: the server has no part in what is measured. */
const LargeRun = dynamic(() => import("./large-run"), { ssr: false });

export function BenchTimeline(props: { query: TimelineQuery }) {
  return <LargeRun {...props} />;
}

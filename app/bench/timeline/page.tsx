import { BenchTimeline } from "../_bench/bench-timeline";
import { readTimelineQuery } from "../_bench/read-query";

/** The page of a run with so many spans, ended or (`live`) going on. */
export default async function BenchTimelinePage({ searchParams }: PageProps<"/bench/timeline">) {
  return <BenchTimeline query={readTimelineQuery(await searchParams)} />;
}

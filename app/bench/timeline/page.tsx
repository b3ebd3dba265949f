import { BenchTimeline } from "../_bench/bench-timeline";
import { readTimelineQuery } from "../_bench/read-query";

export default async function BenchTimelinePage({ searchParams }: PageProps<"/bench/timeline">) {
  return <BenchTimeline query={readTimelineQuery(await searchParams)} />;
}

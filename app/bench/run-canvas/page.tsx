import { BenchRunCanvas } from "../_bench/bench-run-canvas";
import { readRunCanvasQuery } from "../_bench/read-query";

export default async function BenchRunCanvasPage({ searchParams }: PageProps<"/bench/run-canvas">) {
  return <BenchRunCanvas query={readRunCanvasQuery(await searchParams)} />;
}

import { BenchRunCanvas } from "../_bench/bench-run-canvas";
import { readRunCanvasQuery } from "../_bench/read-query";

/** The canvas of a run: of a flow of that size, or (`flow`) of a small one with something of everything, or of none. */
export default async function BenchRunCanvasPage({ searchParams }: PageProps<"/bench/run-canvas">) {
  return <BenchRunCanvas query={readRunCanvasQuery(await searchParams)} />;
}

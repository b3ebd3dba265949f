import { BenchEditor } from "../_bench/bench-editor";
import { readBenchQuery } from "../_bench/read-query";

/** The canvas of a large flow, without its text. */
export default async function BenchCanvasPage({ searchParams }: PageProps<"/bench/canvas">) {
  return <BenchEditor query={readBenchQuery(await searchParams)} text={false} />;
}

import { BenchEditor } from "../_bench/bench-editor";
import { readBenchQuery } from "../_bench/read-query";

export default async function BenchCanvasPage({ searchParams }: PageProps<"/bench/canvas">) {
  return <BenchEditor query={readBenchQuery(await searchParams)} text={false} />;
}

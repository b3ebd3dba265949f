import { BenchEditor } from "../_bench/bench-editor";
import { readBenchQuery } from "../_bench/read-query";

export default async function BenchTextPage({ searchParams }: PageProps<"/bench/editor">) {
  return <BenchEditor query={readBenchQuery(await searchParams)} text={true} />;
}

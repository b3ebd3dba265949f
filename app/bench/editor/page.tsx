import { BenchEditor } from "../_bench/bench-editor";
import { readBenchQuery } from "../_bench/read-query";

/** The text of a large flow beside its canvas. */
export default async function BenchTextPage({ searchParams }: PageProps<"/bench/editor">) {
  return <BenchEditor query={readBenchQuery(await searchParams)} text={true} />;
}

import { BenchConversation } from "../_bench/bench-conversation";
import { readBenchQuery } from "../_bench/read-query";

export default async function BenchConversationPage({ searchParams }: PageProps<"/bench/conversation">) {
  return <BenchConversation query={readBenchQuery(await searchParams)} />;
}

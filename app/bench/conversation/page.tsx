import { BenchConversation } from "../_bench/bench-conversation";
import { readBenchQuery } from "../_bench/read-query";

/** A long conversation: `n` steps; with `groups=1` of many agents, else of three. */
export default async function BenchConversationPage({ searchParams }: PageProps<"/bench/conversation">) {
  return <BenchConversation query={readBenchQuery(await searchParams)} />;
}

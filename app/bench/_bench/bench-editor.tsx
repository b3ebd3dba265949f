import type { Seed } from "@/app/flows/[id]/_editor/state/session";
import { emptyLayout } from "@/lib/core/flow/edit";
import { toBenchSource } from "./bench-source";
import { LargeEditor } from "./large-editor";
import type { BenchQuery } from "./read-query";

export function BenchEditor({ query, text }: { query: BenchQuery; text: boolean }) {
  return <LargeEditor seed={toSeed(query)} query={query} text={text} />;
}

const toSeed = ({ agents, groups }: BenchQuery): Seed => ({
  id: "bench",
  source: toBenchSource({ agents, groups }),
  layout: emptyLayout,
  revision: "bench",
  providers: [{ id: "demo", label: "Demo", available: true, models: ["writer"] }],
  tools: [{ name: "calculator", description: "", available: true }],
  models: [],
  shownRun: null,
  lastRun: null,
  lastInput: "",
});

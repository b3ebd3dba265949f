import { usualViewSize } from "@/app/_canvas/first-picture/draw-first-picture";
import { FirstPicture } from "@/app/_canvas/first-picture/first-picture";
import type { Seed } from "@/app/flows/[id]/_editor/state/session";
import { emptyLayout } from "@/lib/core/flow/edit";
import { toFlowReading } from "@/lib/core/source/read/source-document";
import { readSource } from "@/lib/core/source/read-source";
import { toBenchSource } from "./bench-source";
import { LargeEditor } from "./large-editor";
import type { BenchQuery } from "./read-query";

export function BenchEditor({ query, text }: { query: BenchQuery; text: boolean }) {
  const seed = toSeed(query);
  const picture = <FirstPicture flow={seed.reading.flow} layout={seed.layout} size={usualViewSize} />;
  return <LargeEditor seed={seed} picture={picture} query={query} text={text} />;
}

const providers = [{ id: "demo", label: "Demo", available: true, models: ["writer"] }];

const toSeed = ({ agents, groups }: BenchQuery): Seed => ({
  id: "bench",
  reading: toFlowReading(readSource(toBenchSource({ agents, groups }), { providers, tools: ["calculator"] })),
  layout: emptyLayout,
  revision: "bench",
  providers,
  tools: [{ name: "calculator", description: "", available: true }],
  models: [],
  shownRun: null,
  lastRun: null,
  lastInput: "",
});

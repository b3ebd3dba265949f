import { usualViewSize } from "@/app/_canvas/first-picture/draw-first-picture";
import { FirstPicture } from "@/app/_canvas/first-picture/first-picture";
import type { Seed } from "@/app/flows/[id]/_editor/state/session";
import { emptyLayout } from "@/lib/core/flow/edit";
import { longestPacked, packReading } from "@/lib/core/source/read/pack-reading";
import type { SourceDocument } from "@/lib/core/source/read/source-document";
import { readSource } from "@/lib/core/source/read-source";
import { toBenchSource } from "./bench-source";
import { LargeEditor } from "./large-editor";
import type { BenchQuery } from "./read-query";

export function BenchEditor({ query, text }: { query: BenchQuery; text: boolean }) {
  const source = toBenchSource(query);
  const document = source.length > longestPacked ? null : readSource(source, { providers, tools: ["calculator"] });
  const picture = document && <FirstPicture flow={document.flow} layout={emptyLayout} size={usualViewSize} />;
  return <LargeEditor seed={toSeed(source, document)} picture={picture} query={query} text={text} />;
}

const providers = [{ id: "demo", label: "Demo", available: true, models: ["writer"] }];

const toSeed = (source: string, document: SourceDocument | null): Seed => ({
  id: "bench",
  source,
  packedReading: document && packReading(document),
  layout: emptyLayout,
  revision: "bench",
  providers,
  tools: [{ name: "calculator", description: "", available: true }],
  models: [],
  shownRun: null,
  lastRun: null,
  lastInput: "",
});

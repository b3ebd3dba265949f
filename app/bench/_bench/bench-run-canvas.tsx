"use client";

import { useEffect, useState } from "react";
import { RunCanvas } from "@/app/_canvas/run-canvas/run-canvas";
import { emptyLayout } from "@/lib/core/flow/edit";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { readSource } from "@/lib/core/source/read-source";
import type { NodeStatuses } from "@/lib/core/trace/model/node-statuses";
import { toBenchSource } from "./bench-source";
import { playStatuses } from "./play-statuses";
import type { RunCanvasQuery } from "./read-query";
import { sampleFlows } from "./sample-flows";

export function BenchRunCanvas({ query }: { query: RunCanvasQuery }) {
  const { agents, groups, flow, live } = query;
  const [shown] = useState(() =>
    flow === null
      ? { source: toBenchSource({ agents, groups }), layout: emptyLayout, statuses: none }
      : sampleFlows[flow],
  );
  const { source, layout } = shown;
  const [statuses, setStatuses] = useState<NodeStatuses>(shown.statuses);
  const [selected, select] = useState<NodeKey | null>(null);
  useEffect(() => (live === 0 ? undefined : playStatuses(keysOf(source), live, setStatuses)), [source, live]);
  useEffect(tellWhenDrawn, []);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <h1 className="sr-only">Canvas of a run</h1>
      <div className="min-h-0 flex-1">
        <RunCanvas source={source} layout={layout} statuses={statuses} selected={selected} onSelect={select} />
      </div>
      <div className="flex items-center gap-3 border-t px-3 py-1.5 text-xs">
        <output aria-label="Selected">{selected ?? "nothing"}</output>
        <button type="button" className="min-h-6 underline" onClick={() => select(keysOf(source).at(-1) ?? null)}>
          Select the last
        </button>
      </div>
    </div>
  );
}

const none: NodeStatuses = new Map();

const keysOf = (source: string): NodeKey[] =>
  arrangeFlow(readSource(source).flow, emptyLayout).nodes.flatMap((node) => (node.frame ? [] : [node.key]));

/** Sets `window.__ready` once cards, the overview, or an error message are on screen. */
function tellWhenDrawn(): () => void {
  const drawn = "#flow-picture :is(article, canvas:not([hidden])), #flow-picture ~ div h2";
  let frame = 0;
  const look = (): void => {
    if (document.querySelector(drawn)) window.__ready = performance.now();
    else frame = requestAnimationFrame(look);
  };
  frame = requestAnimationFrame(look);
  return () => cancelAnimationFrame(frame);
}

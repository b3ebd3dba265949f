"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import { CanvasSkeleton } from "@/app/_canvas/run-canvas/canvas-skeleton";
import { loadPart } from "@/app/_ui/loading/load-part";
import type { Layout } from "@/lib/core/flow/edit";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { NodeStatuses } from "@/lib/core/trace/model/node-statuses";

const FlowPicture = dynamic(() => loadPart(() => import("@/app/_canvas/flow-picture/flow-picture")), {
  ssr: false,
  loading: () => <CanvasSkeleton />,
});

const NodeReader = dynamic(() => loadPart(() => import("./node-reader")), { ssr: false });

const noStatuses: NodeStatuses = new Map();

/** A flow to read: it can be moved, zoomed and walked through, its cards can be opened, and it does not change. */
export function StillCanvas({ source, layout }: { source: string; layout: Layout }) {
  const [selected, select] = useState<NodeKey | null>(null);
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col sm:flex-row">
      <div className="relative min-h-0 min-w-0 flex-1 bg-canvas">
        <FlowPicture
          source={source}
          layout={layout}
          statuses={noStatuses}
          selected={selected}
          onSelect={select}
          label="Canvas of this flow"
        />
      </div>
      {selected !== null && <NodeReader source={source} nodeKey={selected} onClose={() => select(null)} />}
    </div>
  );
}

import { useStore as useFlowStore, useStoreApi } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import type { StoreApi } from "zustand/vanilla";
import { useCanvasSession, useCanvasView, useFlowState } from "@/app/_canvas/state/canvas-session";
import { statusStyles } from "@/app/_ui/badges/status-badge";
import { keyNames } from "@/lib/core/flow/node-key";
import { findNote, nameNote } from "@/lib/core/flow/note";
import { type CanvasBox, toScreenBox } from "@/lib/core/layout/scene/canvas-box";
import { indexNodes } from "@/lib/core/layout/scene/node-index";
import { describeStatus } from "../cards/describe-status";
import { nodeDomId } from "../cards/node-dom-id";
import { paintScene, type ViewpointSource } from "../painting/paint-scene";
import { activeKey } from "../state/active-node";
import { useNodeStatus } from "../state/node-statuses";
import type { PointerOverlay } from "./overlay";

export function Overview({ overlay }: { overlay: StoreApi<PointerOverlay> }) {
  const session = useCanvasSession();
  const flow = useStoreApi();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const view: ViewpointSource = {
      read() {
        if (!session.canvas.getState().covered) return null;
        const { transform, width, height } = flow.getState();
        const [x, y, zoom] = transform;
        return { x, y, zoom, width, height, dragged: overlay.getState().dragged };
      },
      subscribe(listener) {
        const stops = [flow, session.canvas, overlay].map((store) => store.subscribe(listener));
        return () => {
          for (const stop of stops) stop();
        };
      },
    };
    return canvas.current ? paintScene(canvas.current, session, view) : undefined;
  }, [session, overlay, flow]);
  const isOverview = useStore(session.canvas, (state) => state.overview);
  return (
    <>
      <canvas ref={canvas} aria-hidden hidden className="pointer-events-none absolute inset-0 z-0 size-full" />
      {isOverview && <ActiveNode />}
      {isOverview && <PointerMarks overlay={overlay} />}
    </>
  );
}

/** For assistive technology: the painted picture has no elements. */
function ActiveNode() {
  const session = useCanvasSession();
  useCanvasView((view) => view.active);
  const active = useFlowState(() => activeKey(session));
  const note = useFlowState(({ layout }) => findNote(layout.notes, active ?? ""));
  const status = useNodeStatus(active ?? "");
  if (active === null) return null;
  const label = note ? nameNote(note) : keyNames(active).join(", ") + (status ? `: ${describeStatus(status)}` : "");
  return <span id={nodeDomId(active)} role="img" aria-label={label} />;
}

function PointerMarks({ overlay }: { overlay: StoreApi<PointerOverlay> }) {
  const { hover, marquee } = useStore(overlay);
  const [x, y, zoom] = useFlowStore((state) => state.transform);
  const arrangement = useFlowState((state) => state.arrangement);
  const note = useFlowState(({ layout }) => findNote(layout.notes, hover ?? ""));
  const status = useNodeStatus(hover ?? "");
  const node = note ?? indexNodes(arrangement).get(hover ?? "");
  const toStyle = (box: CanvasBox) => {
    const { x: screenX, y: screenY, ...size } = toScreenBox(box, { x, y, zoom });
    return { left: screenX, top: screenY, ...size };
  };
  return (
    <div aria-hidden className="pointer-events-none absolute inset-0 z-[5] overflow-hidden">
      {marquee && <div className="absolute border border-accent bg-accent/10" style={toStyle(marquee)} />}
      {node && (
        <div className="absolute outline-2 outline-accent" style={toStyle(node)}>
          <span className="absolute bottom-full left-0 mb-1 whitespace-nowrap rounded border border-line-strong bg-surface-raised px-1.5 text-xs">
            {"name" in node ? node.name : nameNote(node)}
            {status && <span className="ml-1.5 text-text-muted">{statusStyles[status.status].word}</span>}
          </span>
        </div>
      )}
    </div>
  );
}

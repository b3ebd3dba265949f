import { type ReactNode, type RefObject, useRef, useState } from "react";
import { Sheet } from "@/app/_ui/controls/lazy-sheet";
import { walkTabs } from "@/app/_ui/controls/walk-tabs";
import { useMedia } from "@/app/_ui/use-media";
import { TextPreview } from "../panels/text/text-preview";
import { useSession, useView } from "../state/session-context";
import type { NarrowPane } from "../state/view";
import { Divider, type PaneSize } from "./divider";

interface PanesProps {
  outline: ReactNode;
  text: ReactNode;
  canvas: ReactNode;
  inspector: ReactNode;
  run: ReactNode;
}

export function Panes(props: PanesProps) {
  const isNarrow = useMedia("(max-width: 767px)");
  if (isNarrow === null) return <FirstPanes />;
  return isNarrow ? <NarrowPanes {...props} /> : <WidePanes {...props} />;
}

/** The server knows no sizes, so it renders the beginning of the text only. */
function FirstPanes() {
  return (
    <div className="flex min-h-0 flex-1 bg-canvas">
      <div className="w-[round(27vw,1px)] min-w-55 overflow-hidden border-r border-line max-md:hidden">
        <TextPreview />
      </div>
    </div>
  );
}

const limits = {
  outline: { min: 180, max: 600 },
  text: { min: 220, max: 1200 },
  inspector: { min: 240, max: 520 },
  run: { min: 140, max: 1200 },
} as const;
const canvasMin = { width: 280, height: 160 } as const;

const startSizes = (): Record<keyof typeof limits, number> => ({
  outline: Math.max(limits.outline.min, Math.round(innerWidth * 0.2)),
  text: Math.max(limits.text.min, Math.round(innerWidth * 0.27)),
  inspector: 288,
  run: Math.max(limits.run.min, Math.round(innerHeight * 0.33)),
});

function WidePanes({ outline, text, canvas, inspector, run }: PanesProps) {
  const textOpen = useView((view) => view.textOpen);
  const outlineOpen = useView((view) => view.outlineOpen);
  const inspectorOpen = useView((view) => view.inspectorOpen);
  const [sizes, setSizes] = useState(startSizes);
  const column = useRef<HTMLDivElement>(null);
  const toSize = (pane: keyof typeof limits) => ({
    size: sizes[pane],
    ...limits[pane],
    onSize: (size: number) => setSizes((before) => ({ ...before, [pane]: size })),
  });
  return (
    <div className="flex min-h-0 flex-1">
      {outlineOpen && (
        <SidePane label="Resize outline" side="left" column={column} paneSize={toSize("outline")}>
          {outline}
        </SidePane>
      )}
      {textOpen && (
        <SidePane label="Resize text and canvas" side="left" column={column} paneSize={toSize("text")}>
          {text}
        </SidePane>
      )}
      <div ref={column} className="isolate flex min-w-70 flex-1 flex-col">
        <CanvasAndRun canvas={canvas} run={run} size={toSize("run")} />
      </div>
      {inspectorOpen && (
        <SidePane label="Resize canvas and inspector" side="right" column={column} paneSize={toSize("inspector")}>
          {inspector}
        </SidePane>
      )}
    </div>
  );
}

interface SidePaneProps {
  label: string;
  side: "left" | "right";
  paneSize: PaneSize;
  column: RefObject<HTMLElement | null>;
  children: ReactNode;
}

function SidePane({ label, side, paneSize, column, children }: SidePaneProps) {
  const pane = useRef<HTMLDivElement>(null);
  const neighbour = { element: column, min: canvasMin.width };
  const line = <Divider label={label} side={side} pane={pane} paneSize={paneSize} neighbour={neighbour} />;
  return (
    <>
      {side === "right" && line}
      <div
        ref={pane}
        style={{ width: paneSize.size, minWidth: paneSize.min }}
        className="relative z-1 min-h-0 overflow-hidden"
      >
        {children}
      </div>
      {side === "left" && line}
    </>
  );
}

function CanvasAndRun({ canvas, run, size }: { canvas: ReactNode; run: ReactNode; size: PaneSize }) {
  const top = useRef<HTMLDivElement>(null);
  const pane = useRef<HTMLDivElement>(null);
  return (
    <>
      <div ref={top} className="min-h-40 flex-1 overflow-hidden">
        {canvas}
      </div>
      {run !== null && (
        <>
          <Divider
            label="Resize canvas and run"
            side="below"
            pane={pane}
            paneSize={size}
            neighbour={{ element: top, min: canvasMin.height }}
          />
          <div ref={pane} style={{ height: size.size, minHeight: size.min }} className="overflow-hidden">
            {run}
          </div>
        </>
      )}
    </>
  );
}

const tabs: readonly { pane: NarrowPane; label: string }[] = [
  { pane: "canvas", label: "Canvas" },
  { pane: "outline", label: "Outline" },
  { pane: "text", label: "Text" },
  { pane: "inspector", label: "Inspector" },
];

function NarrowPanes({ outline, text, canvas, inspector, run }: PanesProps) {
  const { view } = useSession();
  const pane = useView((state) => state.narrowPane);
  const sheet = useView((state) => state.inspectorSheet);
  const closeSheet = (): void => view.setState({ inspectorSheet: false });
  const content: Record<NarrowPane, ReactNode> = { canvas, outline, text, inspector };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div role="tablist" aria-label="Panes" onKeyDown={walkTabs} className="flex shrink-0 border-b border-line">
        {tabs.map((tab) => (
          <button
            key={tab.pane}
            type="button"
            role="tab"
            id={`tab-${tab.pane}`}
            aria-selected={tab.pane === pane}
            aria-controls="narrow-pane"
            tabIndex={tab.pane === pane ? 0 : -1}
            onClick={() => view.setState({ narrowPane: tab.pane })}
            className="h-9 flex-1 border-b-2 -outline-offset-2 border-transparent text-xs font-medium text-text-muted aria-selected:border-accent aria-selected:text-text"
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div id="narrow-pane" role="tabpanel" aria-labelledby={`tab-${pane}`} className="min-h-0 flex-1">
        {content[pane]}
      </div>
      {sheet && pane === "canvas" && (
        <Sheet title="Selected on the canvas" onClose={closeSheet}>
          {inspector}
        </Sheet>
      )}
      {run !== null && pane === "canvas" && <div className="h-2/5 min-h-0 border-t border-line">{run}</div>}
    </div>
  );
}

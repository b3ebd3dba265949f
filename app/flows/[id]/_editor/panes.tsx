"use client";

import type { ReactNode } from "react";
import { Group, Panel, Separator } from "react-resizable-panels";
import { Sheet } from "@/app/_ui/sheet";
import { useMedia } from "@/app/_ui/use-media";
import { walkTabs } from "@/app/_ui/walk-tabs";
import { useSession, useView } from "./session-context";
import type { NarrowPane } from "./store/view";

interface PanesProps {
  outline: ReactNode;
  text: ReactNode;
  canvas: ReactNode;
  inspector: ReactNode;
  /** Below the canvas; null: there is no run to show. */
  run: ReactNode;
}

/** Text, canvas and inspector: side by side where there is room, one at a time where there is not. */
export function Panes(props: PanesProps) {
  const isNarrow = useMedia("(max-width: 767px)");
  // The server knows no sizes: it leaves the room that the panes will take.
  if (isNarrow === null) return <div className="min-h-0 flex-1 bg-canvas" />;
  return isNarrow ? <NarrowPanes {...props} /> : <WidePanes {...props} />;
}

function WidePanes({ outline, text, canvas, inspector, run }: PanesProps) {
  const textOpen = useView((view) => view.textOpen);
  const outlineOpen = useView((view) => view.outlineOpen);
  const inspectorOpen = useView((view) => view.inspectorOpen);
  return (
    <Group orientation="horizontal" id="editor-panes" className="min-h-0 flex-1">
      {outlineOpen && (
        <>
          <Panel id="outline" defaultSize="20%" minSize={180} className="h-full">
            {outline}
          </Panel>
          <Divider label="Resize outline" />
        </>
      )}
      {textOpen && (
        <>
          <Panel id="text" defaultSize="27%" minSize={220} className="h-full">
            {text}
          </Panel>
          <Divider label="Resize text and canvas" />
        </>
      )}
      <Panel id="canvas" minSize={280}>
        <Group orientation="vertical" id="canvas-and-run">
          <Panel id="canvas-top" minSize={160}>
            {canvas}
          </Panel>
          {run !== null && (
            <>
              <Divider label="Resize canvas and run" flat />
              <Panel id="run" defaultSize="38%" minSize={140}>
                {run}
              </Panel>
            </>
          )}
        </Group>
      </Panel>
      {inspectorOpen && (
        <>
          <Divider label="Resize canvas and inspector" />
          <Panel id="inspector" defaultSize={288} minSize={240} maxSize={520} groupResizeBehavior="preserve-pixel-size">
            {inspector}
          </Panel>
        </>
      )}
    </Group>
  );
}

function Divider({ label, flat = false }: { label: string; flat?: boolean }) {
  return (
    <Separator
      aria-label={label}
      className={`shrink-0 bg-line transition-colors hover:bg-accent focus-visible:bg-accent data-[separator=active]:bg-accent ${flat ? "h-px" : "w-px"}`}
    />
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
      <Sheet title="Selected on the canvas" open={sheet && pane === "canvas"} onClose={closeSheet}>
        {inspector}
      </Sheet>
      {run !== null && pane === "canvas" && <div className="h-2/5 min-h-0 border-t border-line">{run}</div>}
    </div>
  );
}

import { type ReactNode, type RefObject, use, useRef, useState } from "react";
import { Sheet } from "@/app/_ui/controls/lazy-sheet";
import { walkTabs } from "@/app/_ui/controls/walk-tabs";
import { useMedia } from "@/app/_ui/use-media";
import { QuestionBar } from "../panels/merge/question-bar";
import { TextPreview } from "../panels/text/text-preview";
import { PictureContext } from "../state/picture-context";
import { useSession, useShownRun, useView } from "../state/session-context";
import type { NarrowPane } from "../state/view";
import { Divider, type DividerProps } from "./divider";
import { Rail } from "./rail";

interface PanesProps {
  outline: ReactNode;
  text: ReactNode;
  canvas: ReactNode;
  inspector: ReactNode;
  /** Null while its panel is closed. */
  run: ReactNode;
  strip: ReactNode;
}

export function Panes(props: PanesProps) {
  const isNarrow = useMedia("(max-width: 767px)");
  if (isNarrow === null) return <FirstPanes />;
  if (isNarrow) return <NarrowPanes {...props} />;
  return (
    <>
      <QuestionBar />
      <WidePanes {...props} />
    </>
  );
}

/**
 * The server knows no sizes: it renders the rail, the beginning of the text where that is open unless users close it, and
 * the picture of the flow where the canvas will be.
 */
function FirstPanes() {
  return (
    <div className="flex min-h-0 flex-1 bg-canvas">
      <div className="w-10 shrink-0 border-line border-r bg-surface max-md:hidden" />
      <div className="w-[round(27vw,1px)] min-w-55 overflow-hidden border-line border-r max-[1599px]:hidden">
        <TextPreview />
      </div>
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="h-[71px] shrink-0 border-line border-b bg-surface md:h-[34px]" />
        <div className="relative min-h-0 flex-1">{use(PictureContext)}</div>
        <div className="h-13 shrink-0 border-line border-t bg-surface" />
      </div>
      <div className="w-[289px] shrink-0 border-line border-l bg-surface max-md:hidden" />
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
  run: 304,
});

function WidePanes({ outline, text, canvas, inspector, run, strip }: PanesProps) {
  const textOpen = useView((view) => view.textOpen);
  const outlineOpen = useView((view) => view.outlineOpen);
  const inspectorOpen = useView((view) => view.inspectorOpen);
  const isRunFull = useView((view) => view.runPanel === "full") && run !== null;
  const [sizes, setSizes] = useState(startSizes);
  const column = useRef<HTMLDivElement>(null);
  const canvasBox = useRef<HTMLDivElement>(null);
  const toSize = (pane: keyof typeof limits) => ({
    size: sizes[pane],
    ...limits[pane],
    onSize: (size: number) => setSizes((before) => ({ ...before, [pane]: size })),
  });
  const beside = { element: column, min: canvasMin.width };
  return (
    <div className="flex min-h-0 flex-1">
      <Rail />
      {outlineOpen && (
        <SizedPane label="Resize outline" side="left" neighbour={beside} paneSize={toSize("outline")}>
          {outline}
        </SizedPane>
      )}
      {textOpen && (
        <SizedPane label="Resize text and canvas" side="left" neighbour={beside} paneSize={toSize("text")}>
          {text}
        </SizedPane>
      )}
      <div ref={column} className="isolate flex min-w-70 flex-1 flex-col">
        <div ref={canvasBox} hidden={isRunFull} className="min-h-40 flex-1 overflow-hidden">
          {canvas}
        </div>
        {run !== null && (
          <RunPane canvas={canvasBox} isFull={isRunFull} paneSize={toSize("run")}>
            {run}
          </RunPane>
        )}
        {strip}
      </div>
      {inspectorOpen && (
        <SizedPane label="Resize canvas and inspector" side="right" neighbour={beside} paneSize={toSize("inspector")}>
          {inspector}
        </SizedPane>
      )}
    </div>
  );
}

/** Of the window's height, so that a question of the run is read without scrolling. */
const waitingShare = 0.5;

interface RunPaneProps {
  canvas: RefObject<HTMLElement | null>;
  isFull: boolean;
  paneSize: DividerProps["paneSize"];
  children: ReactNode;
}

function RunPane({ canvas, isFull, paneSize, children }: RunPaneProps) {
  const isWaiting = useShownRun((shown) => (shown?.trace?.questions.size ?? 0) > 0);
  if (isFull) return <div className="min-h-0 flex-1">{children}</div>;
  const least = isWaiting ? Math.round(innerHeight * waitingShare) : 0;
  return (
    <SizedPane
      label="Resize canvas and run"
      side="below"
      neighbour={{ element: canvas, min: canvasMin.height }}
      paneSize={{ ...paneSize, size: Math.max(paneSize.size, least) }}
    >
      {children}
    </SizedPane>
  );
}

type SizedPaneProps = Omit<DividerProps, "pane"> & { children: ReactNode };

function SizedPane({ children, ...dividerProps }: SizedPaneProps) {
  const { side, paneSize } = dividerProps;
  const { size, min } = paneSize;
  const pane = useRef<HTMLDivElement>(null);
  const line = <Divider {...dividerProps} pane={pane} />;
  return (
    <>
      {side !== "left" && line}
      <div
        ref={pane}
        style={side === "below" ? { height: size, minHeight: min } : { width: size, minWidth: min }}
        className={side === "below" ? "overflow-hidden" : "relative z-1 min-h-0 overflow-hidden"}
      >
        {children}
      </div>
      {side === "left" && line}
    </>
  );
}

const tabs: readonly { pane: NarrowPane; label: string }[] = [
  { pane: "canvas", label: "Canvas" },
  { pane: "outline", label: "Outline" },
  { pane: "text", label: "Text" },
  { pane: "inspector", label: "Inspector" },
];

function NarrowPanes({ outline, text, canvas, inspector, run, strip }: PanesProps) {
  const { view } = useSession();
  const pane = useView((state) => state.narrowPane);
  const sheet = useView((state) => state.inspectorSheet);
  const isRunFull = useView((state) => state.runPanel === "full") && run !== null;
  const closeSheet = (): void => view.setState({ inspectorSheet: false });
  const content: Record<NarrowPane, ReactNode> = { canvas, outline, text, inspector };
  const isInSheet = sheet && pane === "canvas";
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {!isInSheet && <QuestionBar />}
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
      <div
        id="narrow-pane"
        role="tabpanel"
        aria-labelledby={`tab-${pane}`}
        hidden={isRunFull}
        className="min-h-0 flex-1"
      >
        {content[pane]}
      </div>
      {isInSheet && (
        <Sheet title="Selected on the canvas" onClose={closeSheet}>
          <div className="flex h-full min-h-0 flex-col">
            <QuestionBar />
            <div className="min-h-0 flex-1">{inspector}</div>
          </div>
        </Sheet>
      )}
      {run !== null && <div className={`min-h-0 border-line border-t ${isRunFull ? "flex-1" : "h-1/2"}`}>{run}</div>}
      {strip}
    </div>
  );
}

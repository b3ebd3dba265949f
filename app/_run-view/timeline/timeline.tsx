import dynamic from "next/dynamic";
import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import type { TimeRange } from "@/lib/core/trace/timeline/time-scale";
import type { RunSource } from "../../_run/steps/run-source";
import { loadPart } from "../../_ui/loading/load-part";
import { ConversationView } from "../conversation/conversation-view";
import { Minimap } from "../flame/minimap";
import type { TurnSource } from "../source/turn-source";
import { type TimelineData, type TimeViewProps, useTimeline } from "../state/use-timeline";
import type { ChangeView, ViewState } from "../state/view-state";
import { StepPane } from "../step/step-pane";
import { createPlayhead, type PlayheadStore } from "../time/playhead";
import { PlayheadBar } from "../time/playhead-bar";
import { PlayheadLine } from "../time/playhead-line";
import { Waterfall } from "../waterfall/waterfall";
import { type CanvasProps, CanvasView } from "./canvas-view";
import { RunToolbar } from "./run-toolbar";
import { type Neighbours, useTimelineActions } from "./use-timeline-actions";

const FlameView = dynamic(() => loadPart(() => import("../flame/flame-view")), { ssr: false });
const KeySheet = dynamic(() => loadPart(() => import("./key-sheet")), { ssr: false });

/** What is displayed of a run that is not in its trace. */
export interface RunSources {
  steps: RunSource;
  turns: TurnSource;
  canvas: ComponentType<CanvasProps>;
  /** Null: the run comes from a file. */
  flowId: string | null;
}

export interface TimelineProps {
  run: TimeViewProps["run"];
  state: ViewState;
  onChange: ChangeView;
  sources: RunSources;
  neighbours: Neighbours;
  /** Above the step; where that is below the rows, above these. */
  questions?: ReactNode;
}

export function Timeline({ run, state, onChange, sources, neighbours, questions }: TimelineProps) {
  const { trace, now } = run;
  const timeline = useTimeline(trace, state, now);
  const { runRange } = timeline;
  const [playhead] = useState(() => createPlayhead(state.at === null ? null : runRange.start + state.at));
  const [isHelpOpen, setHelpOpen] = useState(false);
  usePlayheadInAddress(playhead, runRange.start, onChange);
  const search = useRef<HTMLInputElement>(null);
  const viewArea = useRef<HTMLDivElement>(null);
  const stepPane = useRef<HTMLElement>(null);
  const selected = Math.min(Math.max((state.node ?? 1) - 1, 0), trace.length - 1);
  const actions = useTimelineActions(
    { trace, state, onChange, neighbours, timeline, playhead, selected },
    {
      openStep: () => stepPane.current?.focus(),
      focusSearch: () => search.current?.focus(),
      showKeys: () => setHelpOpen(true),
    },
  );
  const step = { trace, span: selected, sources, now, onSelect: actions.select };
  const focusSteps = (): void =>
    viewArea.current?.querySelector<HTMLElement>("[role=treegrid], [role=application]")?.focus();
  return (
    <>
      <RunToolbar
        state={state}
        timeline={timeline}
        search={search}
        onChange={onChange}
        onHit={(offset) => actions.move({ type: "hit", by: offset })}
        onLeave={focusSteps}
      />
      <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
        <div ref={viewArea} className="flex min-h-52 min-w-0 flex-1 flex-col">
          <SelectedView
            view={state.view}
            sources={sources}
            viewProps={{ run, timeline, playhead, selected, actions }}
          />
          <TimeStrip timeline={timeline} playhead={playhead} onRange={actions.zoomTo} />
        </div>
        <div className="flex min-h-0 flex-col max-lg:contents lg:w-[clamp(340px,31%,720px)] lg:border-l">
          {questions}
          <section
            ref={stepPane}
            aria-label="Step"
            tabIndex={-1}
            className="flex min-h-0 flex-1 flex-col -outline-offset-2 max-lg:border-t"
          >
            <StepPane key={selected} {...step} />
          </section>
        </div>
      </div>
      {isHelpOpen && <KeySheet onClose={() => setHelpOpen(false)} />}
    </>
  );
}

interface TimeStripProps {
  timeline: TimelineData;
  playhead: PlayheadStore;
  onRange(range: TimeRange | null): void;
}

function TimeStrip({ timeline, playhead, onRange }: TimeStripProps) {
  const { overview, wholeScale, scale, runRange } = timeline;
  return (
    <div className="shrink-0 border-t bg-surface">
      <div className="relative flex max-sm:hidden">
        <Minimap overview={overview} scale={wholeScale} range={scale.range} onRange={onRange} />
        <PlayheadLine playhead={playhead} scale={wholeScale} className="inset-y-0" />
      </div>
      <PlayheadBar playhead={playhead} runRange={runRange} />
    </div>
  );
}

interface SelectedViewProps {
  view: ViewState["view"];
  sources: RunSources;
  viewProps: TimeViewProps;
}

function SelectedView({ view, sources, viewProps }: SelectedViewProps) {
  "use no memo"; // A trace changes without its tables changing their identity.
  switch (view) {
    case "waterfall":
      return <Waterfall {...viewProps} />;
    case "flame":
      return <FlameView {...viewProps} />;
    case "canvas":
      return <CanvasView canvas={sources.canvas} {...viewProps} />;
    case "conversation":
      return <ConversationView source={sources.turns} {...viewProps} />;
  }
}

function usePlayheadInAddress(playhead: PlayheadStore, origin: number, onChange: ChangeView): void {
  const write = useEffectEvent((time: number | null) => onChange({ at: time === null ? null : time - origin }));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = playhead.subscribe(({ time }) => {
      clearTimeout(timer);
      timer = setTimeout(() => write(time), 250);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [playhead]);
}

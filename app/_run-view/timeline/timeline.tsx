"use client";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from "react";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { openAbove } from "@/lib/core/trace/timeline/span-rows";
import { type TimeRange, zoomRange } from "@/lib/core/trace/timeline/time-scale";
import { loadPart } from "../../_ui/loading/load-part";
import { FlameView } from "../flame/flame-view";
import { Minimap } from "../flame/minimap";
import type { GridMove } from "../grid/grid-keys";
import { useMoment } from "../time/moment";
import { createPlayhead, type PlayheadStore } from "../time/playhead";
import { PlayheadBar } from "../time/playhead-bar";
import { PlayheadLine } from "../time/playhead-line";
import { Waterfall } from "../waterfall/waterfall";
import { type CanvasProps, CanvasView } from "./canvas-view";
import { RunToolbar } from "./run-toolbar";
import { type TimelineData, useTimeline } from "./use-timeline";
import type { ChangeView, ViewState } from "./view-state";

const KeySheet = dynamic(() => loadPart(() => import("./key-sheet")), { ssr: false });

export interface ConversationProps {
  trace: TraceView;
  /** Id of the selected step. */
  selected: number | null;
  /** The moment that is shown, in milliseconds since the epoch; null: the end, or now. */
  until: number | null;
  live: boolean;
  onSelect(id: number): void;
}

export interface TimelineProps {
  trace: TraceView;
  /** Whether more may come. */
  live: boolean;
  now: number;
  state: ViewState;
  onChange: ChangeView;
  canvas: ComponentType<CanvasProps>;
  conversation: ComponentType<ConversationProps>;
  /** Addresses of the runs of this flow before and after this one. */
  neighbours: { previous: `/runs/${string}` | null; next: `/runs/${string}` | null };
  /** What is known of the selected step. */
  detail(selected: number, onSelect: (span: number) => void): ReactNode;
}

/** A run in four views with one selection, one stretch of time and one moment. */
export function Timeline(props: TimelineProps) {
  const { trace, now, state, onChange, neighbours, detail } = props;
  const router = useRouter();
  const timeline = useTimeline(trace, state, now);
  const { whole, rows } = timeline;
  const [playhead] = useState(() => createPlayhead(state.at === null ? null : whole.start + state.at));
  const [isHelping, setHelping] = useState(false);
  usePlayheadInAddress(playhead, whole.start, onChange);
  const search = useRef<HTMLInputElement>(null);
  const main = useRef<HTMLDivElement>(null);
  const aside = useRef<HTMLElement>(null);
  const selected = Math.min(Math.max((state.node ?? 1) - 1, 0), trace.length - 1);
  const select = (span: number): void => onChange({ node: span + 1 });
  const setRange = (range: TimeRange | null): void =>
    onChange(
      range === null
        ? { from: null, to: null }
        : {
            from: Math.floor(range.start - whole.start),
            to: Math.max(Math.ceil(range.end - whole.start), Math.floor(range.start - whole.start) + 1),
          },
    );
  const focusSteps = (): void =>
    main.current?.querySelector<HTMLElement>("[role=treegrid], [role=application]")?.focus();
  const goThrough = (spans: Int32Array | undefined, by: 1 | -1): void => {
    if (!spans || spans.length === 0) return;
    const order = [...spans];
    const at = order.indexOf(selected);
    const next = order[(at < 0 && by < 0 ? order.length - 1 : at + by + order.length) % order.length];
    if (next === undefined) return;
    const isHidden = state.group === null && rows.find(next) < 0;
    onChange({ node: next + 1, ...(isHidden && { fold: openAbove(trace, next, timeline.folding) }) });
  };
  const onMove = (move: GridMove): void => {
    if (move.type === "open") aside.current?.focus();
    else if (move.type === "depth") onChange({ depth: move.depth, fold: [] });
    else if (move.type === "hit") goThrough(timeline.filtered?.hits, move.by);
    else if (move.type === "error") goThrough(timeline.failed(), move.by);
    else if (move.type === "search") search.current?.focus();
    else if (move.type === "whole") setRange(null);
    else if (move.type === "keys") setHelping(true);
    else if (move.type === "play") togglePlay(playhead, whole);
    else if (move.type === "zoom") setRange(zoomAt(timeline, move.factor, playhead));
    else if (move.type === "run") {
      const to = move.by > 0 ? neighbours.next : neighbours.previous;
      if (to) router.push(to);
    }
  };
  const toggle = (row: number): void => {
    const id = rows.foldIdAt(row);
    onChange({ fold: state.fold.includes(id) ? state.fold.filter((one) => one !== id) : [...state.fold, id] });
  };
  return (
    <>
      <RunToolbar
        state={state}
        timeline={timeline}
        search={search}
        onChange={onChange}
        onHit={(by) => goThrough(timeline.filtered?.hits, by)}
        onLeave={focusSteps}
      />
      <Strip timeline={timeline} playhead={playhead} onRange={setRange} />
      <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
        <div ref={main} className="flex min-h-40 min-w-0 flex-1 flex-col">
          <Main
            {...props}
            timeline={timeline}
            playhead={playhead}
            selected={selected}
            onSelect={select}
            onRange={setRange}
            onMove={onMove}
            onToggle={toggle}
          />
        </div>
        <section
          ref={aside}
          aria-label="Step"
          tabIndex={-1}
          className="flex min-h-0 flex-1 flex-col border-t -outline-offset-2 lg:w-[40%] lg:max-w-3xl lg:flex-none lg:border-t-0 lg:border-l"
        >
          {detail(selected, select)}
        </section>
      </div>
      {isHelping && <KeySheet onClose={() => setHelping(false)} />}
    </>
  );
}

/** The minimap over the slider of the playhead. */
function Strip({
  timeline,
  playhead,
  onRange,
}: {
  timeline: TimelineData;
  playhead: PlayheadStore;
  onRange(range: TimeRange | null): void;
}) {
  const { overview, wholeScale, scale, whole } = timeline;
  return (
    <div className="shrink-0 border-b">
      <div className="relative flex">
        <Minimap overview={overview} scale={wholeScale} range={scale.range} onRange={onRange} />
        <PlayheadLine playhead={playhead} scale={wholeScale} className="inset-y-0" />
      </div>
      <PlayheadBar playhead={playhead} runRange={whole} />
    </div>
  );
}

interface MainProps extends TimelineProps {
  timeline: TimelineData;
  playhead: PlayheadStore;
  selected: number;
  onSelect(span: number): void;
  onRange(range: TimeRange): void;
  onMove(move: GridMove): void;
  onToggle(row: number): void;
}

function Main(props: MainProps) {
  const { trace, live, state, now, timeline, playhead, selected, onSelect, onRange, onMove, onToggle } = props;
  const { scale, whole, colors, layout, critical, hits } = timeline;
  switch (state.view) {
    case "waterfall":
      return (
        <Waterfall
          trace={trace}
          rows={timeline.rows}
          scale={scale}
          whole={whole}
          now={now}
          live={live}
          timeOf={timeline.timeOf}
          colors={colors}
          hits={hits}
          critical={critical}
          selected={selected}
          playhead={playhead}
          onSelect={onSelect}
          onToggle={onToggle}
          onRange={onRange}
          onMove={onMove}
        />
      );
    case "flame":
      return (
        <FlameView
          trace={trace}
          layout={layout}
          colors={colors}
          scale={scale}
          whole={whole}
          lit={hits ?? critical}
          selected={selected}
          playhead={playhead}
          onSelect={onSelect}
          onRange={onRange}
          onMove={onMove}
        />
      );
    case "canvas":
      return <CanvasView {...props} />;
    case "conversation":
      return <ConversationView {...props} />;
  }
}

function ConversationView({ trace, live, conversation: Conversation, playhead, selected, onSelect }: MainProps) {
  const moment = useMoment(trace, playhead);
  return (
    <Conversation
      trace={trace}
      selected={selected + 1}
      until={moment}
      live={live}
      onSelect={(id) => onSelect(id - 1)}
    />
  );
}

function togglePlay(playhead: PlayheadStore, whole: TimeRange): void {
  const { playing, time: at } = playhead.getState();
  playhead.setState({ playing: !playing, time: at ?? whole.start });
}

/** Closer or farther round the playhead, or round the middle. */
function zoomAt({ scale, whole }: TimelineData, factor: number, playhead: PlayheadStore): TimeRange {
  const { time: at } = playhead.getState();
  const place = at === null ? 0.5 : scale.place(at);
  return zoomRange(scale, whole, place, factor);
}

/** Keeps the moment that is shown in the address, once the playhead rests. */
function usePlayheadInAddress(playhead: PlayheadStore, origin: number, onChange: ChangeView): void {
  const write = useRef<(at: number | null) => void>(() => {});
  useEffect(() => {
    write.current = (at) => onChange({ at: at === null ? null : at - origin });
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = playhead.subscribe(({ time: at }) => {
      clearTimeout(timer);
      timer = setTimeout(() => write.current(at), 250);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [playhead]);
}

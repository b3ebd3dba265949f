import { useRouter } from "next/navigation";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { openAbove } from "@/lib/core/trace/timeline/span-rows";
import { type TimeRange, zoomRange } from "@/lib/core/trace/timeline/time-scale";
import type { GridMove } from "../grid/grid-keys";
import type { TimelineActions, TimelineData } from "../state/use-timeline";
import type { ChangeView, ViewState } from "../state/view-state";
import { toRangeState, toWholeState } from "../state/visible-range";
import { type PlayheadStore, togglePlayback } from "../time/playhead";

/** Ids of the runs of the same flow before and after this run. */
export interface Neighbours {
  previous: string | null;
  next: string | null;
}

interface ActionContext {
  trace: TraceView;
  state: ViewState;
  onChange: ChangeView;
  neighbours: Neighbours;
  timeline: TimelineData;
  playhead: PlayheadStore;
  selected: number;
}

interface PaneActions {
  openStep(): void;
  focusSearch(): void;
  showKeys(): void;
}

export function useTimelineActions(context: ActionContext, panes: PaneActions) {
  "use no memo"; // A trace changes without its tables changing their identity.
  const { trace, state, onChange, neighbours, timeline, playhead, selected } = context;
  const { runRange, rows } = timeline;
  const router = useRouter();
  const walk = (spans: Int32Array | undefined, direction: 1 | -1): void => {
    if (!spans || spans.length === 0) return;
    const index = spans.indexOf(selected);
    const span =
      spans[(index < 0 && direction < 0 ? spans.length - 1 : index + direction + spans.length) % spans.length];
    if (span === undefined) return;
    const isHidden = state.group === null && rows.find(span) < 0;
    onChange({ node: span + 1, ...(isHidden && { fold: openAbove(trace, span, timeline.folding).filter(isStep) }) });
  };
  const zoomTo = (range: TimeRange): void => onChange(toRangeState(range, runRange));
  const goToRun = (id: string | null): void => {
    if (id !== null) router.push(`/runs/${id}`);
  };
  const actions: TimelineActions = {
    select: (span) => onChange({ node: span + 1 }),
    toggleRow(row) {
      const id = rows.foldIdAt(row);
      onChange({ fold: state.fold.includes(id) ? state.fold.filter((foldId) => foldId !== id) : [...state.fold, id] });
    },
    zoomTo,
    move(move: GridMove) {
      switch (move.type) {
        case "open":
          return panes.openStep();
        case "depth":
          return onChange({ depth: move.depth, fold: [] });
        case "hit":
          return walk(timeline.hitSpans, move.by);
        case "error":
          return walk(timeline.listFailed(), move.by);
        case "search":
          return panes.focusSearch();
        case "whole":
          return onChange(toWholeState(state, timeline.status));
        case "keys":
          return panes.showKeys();
        case "play":
          return togglePlayback(playhead, runRange);
        case "zoom":
          return zoomTo(zoomAtPlayhead(timeline, move.factor, playhead));
        case "run":
          return goToRun(move.by > 0 ? neighbours.next : neighbours.previous);
      }
    },
  };
  return actions;
}

/** Rows of steps that ran at once have negative ids; all of them open. */
const isStep = (foldId: number): boolean => foldId >= 0;

function zoomAtPlayhead({ scale, runRange }: TimelineData, factor: number, playhead: PlayheadStore): TimeRange {
  const { time } = playhead.getState();
  return zoomRange(scale, runRange, time === null ? 0.5 : scale.place(time), factor);
}

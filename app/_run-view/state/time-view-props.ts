import type { TraceView } from "@/lib/core/trace/model/trace-view";
import type { TimeRange } from "@/lib/core/trace/timeline/time-scale";
import type { GridMove } from "../grid/grid-keys";
import type { PlayheadStore } from "../time/playhead";
import type { TimelineData } from "./use-timeline";

export interface TimelineActions {
  select(span: number): void;
  toggleRow(row: number): void;
  /** Null: the whole run. */
  zoomTo(range: TimeRange | null): void;
  move(move: GridMove): void;
}

export interface TimeViewProps {
  run: { trace: TraceView; now: number; live: boolean };
  timeline: TimelineData;
  playhead: PlayheadStore;
  selected: number;
  actions: TimelineActions;
}

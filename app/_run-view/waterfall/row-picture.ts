import type { TimeScale } from "@/lib/core/trace/timeline/time-scale";
import type { TextFitter } from "../drawing/fit-text";
import type { IconSprites } from "../drawing/icon-sprites";
import type { Pen } from "../drawing/use-canvas";
import type { ColumnBoxes } from "./grid-columns";
import type { RowSource } from "./row-values";

export interface RowPicture extends RowSource {
  scale: TimeScale;
  now: number;
  colors: Uint8Array;
  /** 1 for search hits, and for spans of the critical path; null: not requested. */
  hits: Uint8Array | null;
  critical: Uint8Array | null;
  /** Rows; -1: none. */
  active: number;
  hovered: number;
  /** Of a row, in px. */
  height: number;
  turns: boolean;
  isFocused: boolean;
}

export interface RowPen extends Pen {
  columns: ColumnBoxes;
  icons: IconSprites;
  texts: TextFitter;
}

export const alphaOf = ({ trace, moment, critical }: RowPicture, span: number): number =>
  critical?.[span] === 0 || (moment !== null && (trace.columns.start[span] ?? 0) > moment) ? 0.5 : 1;

import type { StepDetail } from "@/lib/core/trace/model/run-state";
import type { TextField } from "@/lib/core/trace/model/step-texts";

/**
 * Where a shown run is read from: the server, or a run file that somebody opened. Nothing of it is loaded before it is asked for.
 * Every promise rejects with an Error whose message can be shown.
 */
export interface RunSource {
  readonly runId: string;
  /**
   * Of a file: the last moment that it tells of, in milliseconds since the epoch. What had not ended by then goes no further,
   * and nobody in it can be answered or told anything. Null: the run is the server's.
   */
  readonly until: number | null;
  /**
   * A step. Texts of more than 16,384 UTF-16 units are cut to their beginning; their `length` (of the reasoning
   * `reasoningLength`) says how long they are. Facts too large to be shown are shortened or left out; then `metadata.cut` is true.
   */
  node(id: number, signal: AbortSignal): Promise<StepDetail>;
  /** The whole of a text, however long. */
  text(id: number, field: TextField, signal: AbortSignal): Promise<string>;
  /** Downloads the whole of a text as a file, without reading it into the page first where the source allows that. */
  download(id: number, field: TextField): void;
}

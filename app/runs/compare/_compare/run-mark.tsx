import { letterOf } from "./letters";

/** The letter of a run, as a mark. */
export function RunMark({ index }: { index: number }) {
  return (
    <span className="inline-flex size-5 shrink-0 items-center justify-center rounded bg-surface-hover font-semibold text-xs">
      {letterOf(index)}
    </span>
  );
}

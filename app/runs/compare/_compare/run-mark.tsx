import { letterOf } from "./letters";

export function RunMark({ index }: { index: number }) {
  return (
    <span className="inline-flex size-5 shrink-0 items-center justify-center rounded bg-surface-hover font-semibold text-xs">
      {letterOf(index)}
    </span>
  );
}

import type { Delta } from "./deltas";

const tones: Record<Delta["tone"], string> = {
  less: "text-success",
  more: "text-warning",
  same: "text-text-muted",
};

/** How a figure stands to the base's; nothing where that is not known. */
export function DeltaText({ delta }: { delta: Delta | null }) {
  return delta && <span className={`text-xs ${tones[delta.tone]}`}>{delta.text}</span>;
}

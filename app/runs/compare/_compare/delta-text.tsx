import type { Delta } from "./deltas";

const tones: Record<Delta["tone"], string> = {
  less: "text-success",
  more: "text-warning",
  same: "text-text-muted",
};

export function DeltaText({ delta }: { delta: Delta | null }) {
  return delta && <span className={`text-xs ${tones[delta.tone]}`}>{delta.text}</span>;
}

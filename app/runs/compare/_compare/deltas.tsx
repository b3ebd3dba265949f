import { formatCount } from "@/lib/core/flow/format-count";
import { type Cost, hasUnknownCost } from "@/lib/core/run/events/usage";
import { formatCost, formatDuration } from "../../../_ui/format/format";

export interface Delta {
  text: string;
  tone: "less" | "more" | "same";
}

/** With a sign, and a percentage where that is informative; null when a value is unknown. */
function toDelta(base: number | null, value: number | null, format: (amount: number) => string): Delta | null {
  if (base === null || value === null) return null;
  const change = value - base;
  if (change === 0) return { text: "same", tone: "same" };
  const share = base > 0 ? Math.round((change / base) * 100) : 0;
  const percent = Math.abs(share) >= 1 && Math.abs(share) < 1000 ? ` (${signOf(share)}${Math.abs(share)} %)` : "";
  return { text: `${signOf(change)}${format(Math.abs(change))}${percent}`, tone: change < 0 ? "less" : "more" };
}

const signOf = (change: number): string => (change < 0 ? "−" : "+");

/** Milliseconds. */
export const durationDelta = (base: number | null, value: number | null) => toDelta(base, value, formatDuration);
export const tokensDelta = (base: number | null, value: number | null) => toDelta(base, value, formatCount);
export const costDelta = (base: Cost, value: Cost) =>
  hasUnknownCost(base) || hasUnknownCost(value) ? null : toDelta(base.cost, value.cost, formatCost);

const tones: Record<Delta["tone"], string> = {
  less: "text-success",
  more: "text-warning",
  same: "text-text-muted",
};

export function DeltaText({ delta }: { delta: Delta | null }) {
  return delta && <span className={`text-xs ${tones[delta.tone]}`}>{delta.text}</span>;
}

import { countNouns, formatCount } from "@/lib/core/flow/format-count";
import type { Cost, Usage } from "@/lib/core/run/events/usage";
import type { RunTotals } from "@/lib/core/trace/model/run-sums";

/**
 * A span of time in the unit that reads best: `0 ms`, `840 ms`, `2.4 s`, `1 m 05 s`, `2 h 03 m`. Negative counts as 0. Null,
 * a dash: it is not known.
 */
export function formatDuration(ms: number | null): string {
  if (ms === null) return "–";
  const roundedMs = Math.max(0, Math.round(ms));
  if (roundedMs < 1000) return `${roundedMs} ms`;
  if (roundedMs < 59_950) return `${(roundedMs / 1000).toFixed(1)} s`;
  const seconds = Math.round(roundedMs / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${twoDigits(seconds % 60)} s`;
  const minutes = Math.floor(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} m`;
}

const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** A count of tokens: exact below 10,000, then `12.3k`, `4.5M`. */
export const formatTokens = (count: number): string => abbreviate(count, 10_000, ["k", "M"]);

function abbreviate(value: number, exactBelow: number, [thousands, millions]: readonly [string, string]): string {
  if (value < exactBelow) return formatCount(value);
  if (value < 999_950) return `${(value / 1000).toFixed(1)}${thousands}`;
  return `${(value / 1_000_000).toFixed(1)}${millions}`;
}

/** US dollars. Null is "unknown", which is not 0; less than a hundredth of a cent is not rounded to 0. */
export function formatCost(cost: number | null): string {
  if (cost === null) return "unknown";
  if (cost === 0) return "$0";
  if (cost < 0.0001) return "< $0.0001";
  if (cost < 0.01) return `$${cost.toFixed(4)}`;
  if (cost < 1) return `$${cost.toFixed(3)}`;
  return `$${cost.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** An amount that someone has set: `$0.10`, `$0.0005`. */
export const formatAmount = (amount: number): string =>
  `$${amount.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`;

/** A cost with unknown parts is "at least" what is known of it: `≥` where there is little room. */
export const formatTotalCost = ({ cost, isCostPartial }: Cost, atLeast = "at least "): string =>
  (isCostPartial ? atLeast : "") + formatCost(cost);

/** The cost of several runs. */
export const formatSumCost = ({ cost, partlyPriced }: Pick<RunTotals, "cost" | "partlyPriced">): string =>
  formatTotalCost(partlyPriced > 0 ? { cost, isCostPartial: true } : { cost });

/** The cost of what was used; a dash when no model was called, for then there is nothing to know. */
export const formatUsageCost = (usage: Usage): string => (usage.calls === 0 ? "–" : formatTotalCost(usage));

export const formatUsageTokens = ({ input, output, estimated }: Usage): string =>
  `${estimated ? "≈ " : ""}${formatTokens(input + output)}`;

/** A length in UTF-16 units: `840 characters`, `12.3 K characters`, `4.5 M characters`. */
export const formatLength = (length: number): string => `${abbreviate(length, 10_000, [" K", " M"])} characters`;

/** A size in bytes: `840 B`, `12.3 KB`, `4.5 MB`. */
export const formatBytes = (bytes: number): string =>
  bytes < 1000 ? `${bytes} B` : abbreviate(bytes, 1000, [" KB", " MB"]);

const steps = [
  { unit: "minute", ms: 60_000, below: 3_600_000 },
  { unit: "hour", ms: 3_600_000, below: 86_400_000 },
  { unit: "day", ms: 86_400_000, below: 7 * 86_400_000 },
] as const;

/** `4 Mar 2026`; by the local clock where no zone is given. */
export const formatDate = (timeMs: number, timeZone?: "UTC"): string =>
  new Date(timeMs).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone });

/** `4 Mar 2026 14:03:26`; with `UTC` at the end where that is the zone, else by the local clock. */
export const formatExact = (timeMs: number, timeZone?: "UTC"): string =>
  [formatDate(timeMs, timeZone), new Date(timeMs).toLocaleTimeString("en-GB", { timeZone }), timeZone]
    .filter((part) => part !== undefined)
    .join(" ");

/** `at` as seen from `now`, both in milliseconds: `just now`, `3 minutes ago`, `2 days ago`, then the date `4 Mar 2026`. */
export function formatAgo(timeMs: number, now: number): string {
  const past = now - timeMs;
  if (past < 60_000) return "just now";
  const step = steps.find(({ below }) => past < below);
  if (!step) return formatDate(timeMs);
  return `${countNouns(Math.floor(past / step.ms), step.unit)} ago`;
}

const dayMs = 86_400_000;

/** By the local clock: `Today 14:03:26`, `Yesterday 09:12:00`, then `4 Mar 2026 14:03`. */
export function formatMoment(timeMs: number, now: number): string {
  const moment = new Date(timeMs);
  const time = [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(twoDigits);
  const day = moment.toDateString();
  if (day === new Date(now).toDateString()) return `Today ${time.join(":")}`;
  if (day === new Date(now - dayMs).toDateString()) return `Yesterday ${time.join(":")}`;
  return `${formatDate(timeMs)} ${time.slice(0, 2).join(":")}`;
}

/** The same in few characters: `now`, `6 min ago`, `2 h ago`, `yesterday`, `3 days ago`, then `4 Mar`, or `Mar 2025`. */
export function formatShortAgo(timeMs: number, now: number): string {
  const past = now - timeMs;
  if (past < 60_000) return "just now";
  if (past < 3_600_000) return `${Math.floor(past / 60_000)} min ago`;
  if (past < 86_400_000) return `${Math.floor(past / 3_600_000)} h ago`;
  if (past < 2 * 86_400_000) return "yesterday";
  if (past < 7 * 86_400_000) return `${Math.floor(past / 86_400_000)} days ago`;
  const isRecent = past < 300 * 86_400_000;
  const parts = isRecent
    ? ({ day: "numeric", month: "short" } as const)
    : ({ month: "short", year: "numeric" } as const);
  return new Date(timeMs).toLocaleDateString("en-GB", parts);
}

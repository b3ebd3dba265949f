"use client";
import { useState } from "react";
import * as z from "zod/mini";
import { Button } from "@/app/_ui/controls/button";
import { Field } from "@/app/_ui/controls/field";
import { inputStyle } from "@/app/_ui/controls/input-style";
import { countNouns } from "@/lib/core/flow/format-count";
import type { TeamLimitsDetail } from "@/lib/server/teams/team-limits";
import { SaveOutcome } from "../save-outcome";
import { useSaved } from "../use-saved";

const limit = z.nullable(z.number());
const detailSchema: z.ZodMiniType<TeamLimitsDetail> = z.object({
  maxConcurrentRuns: limit,
  maxRunsPerDay: limit,
  maxRunsPerMonth: limit,
  maxRunCost: limit,
  maxCostPerDay: limit,
  maxCostPerMonth: limit,
  maxTokensPerMonth: limit,
  used: z.object({
    runsToday: z.number(),
    runsThisMonth: z.number(),
    costToday: z.number(),
    costThisMonth: z.number(),
    tokensThisMonth: z.number(),
    isCostTodayPartial: z.boolean(),
    isCostThisMonthPartial: z.boolean(),
  }),
});

const fields = [
  { name: "maxRunsPerDay", label: "Runs a day", isWhole: true },
  { name: "maxRunsPerMonth", label: "Runs a month", isWhole: true },
  { name: "maxConcurrentRuns", label: "Runs at the same time", isWhole: true },
  { name: "maxTokensPerMonth", label: "Tokens a month", isWhole: true },
  { name: "maxRunCost", label: "US dollars a run", isWhole: false },
  { name: "maxCostPerDay", label: "US dollars a day", isWhole: false },
  { name: "maxCostPerMonth", label: "US dollars a month", isWhole: false },
] as const;
type LimitsDraft = Readonly<Record<string, string>>;

const toDraft = (limits: TeamLimitsDetail): LimitsDraft =>
  Object.fromEntries(fields.map(({ name }) => [name, String(limits[name] ?? "")]));
const toLimit = (text: string): number | null => (text.trim() === "" ? null : Number(text));

const toDollars = (amount: number): string =>
  `$${amount.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: amount < 1 ? 4 : 2 })}`;

interface LimitsFormProps {
  initial: TeamLimitsDetail;
  mayChange: boolean;
}

export function LimitsForm({ initial, mayChange }: LimitsFormProps) {
  const { stored, pending, outcome, save } = useSaved("/api/v1/settings/limits", detailSchema, initial);
  const [draft, setDraft] = useState(() => toDraft(initial));
  const send = async (): Promise<void> => {
    const json = Object.fromEntries(fields.map(({ name }) => [name, toLimit(draft[name] ?? "")]));
    const saved = await save(json);
    if (saved) setDraft(toDraft(saved));
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <UsedRuns limits={stored} />
      <fieldset disabled={!mayChange} className="grid gap-4 sm:grid-cols-2">
        {fields.map(({ name, label, isWhole }) => (
          <Field key={name} label={label}>
            {(attributes) => (
              <input
                {...attributes}
                type="number"
                min={isWhole ? 1 : 0.0001}
                step={isWhole ? 1 : "any"}
                placeholder="no limit"
                value={draft[name]}
                onChange={({ target }) => setDraft({ ...draft, [name]: target.value })}
                className={inputStyle}
              />
            )}
          </Field>
        ))}
      </fieldset>
      {mayChange && (
        <Button type="submit" variant="primary" pending={pending} className="self-start">
          Save
        </Button>
      )}
      <SaveOutcome outcome={outcome} />
    </form>
  );
}

/** Days and months are those of UTC, as for the limits. */
function UsedRuns({ limits: { used, ...limits } }: { limits: TeamLimitsDetail }) {
  const runs = (count: number): string => countNouns(count, "run");
  const tokens = (count: number): string => countNouns(count, "token");
  return (
    <ul aria-label="Used" className="grid gap-3 sm:grid-cols-3">
      <UsedAmount label="Today" toText={runs} used={used.runsToday} most={limits.maxRunsPerDay} />
      <UsedAmount label="This month" toText={runs} used={used.runsThisMonth} most={limits.maxRunsPerMonth} />
      <UsedAmount label="This month" toText={tokens} used={used.tokensThisMonth} most={limits.maxTokensPerMonth} />
      <UsedAmount
        label="Cost today"
        toText={toDollars}
        used={used.costToday}
        isPartial={used.isCostTodayPartial}
        most={limits.maxCostPerDay}
      />
      <UsedAmount
        label="Cost this month"
        toText={toDollars}
        used={used.costThisMonth}
        isPartial={used.isCostThisMonthPartial}
        most={limits.maxCostPerMonth}
      />
    </ul>
  );
}

interface UsedAmountProps {
  label: string;
  toText(amount: number): string;
  used: number;
  /** More was used than what is known. */
  isPartial?: boolean;
  most: number | null;
}

const UsedAmount = ({ label, toText, used, isPartial = false, most }: UsedAmountProps) => (
  <li className="rounded-md border p-3">
    <p className="text-text-muted text-xs">{label} (UTC)</p>
    <p className="font-semibold tabular-nums">
      {isPartial && "at least "}
      {toText(used)}
      {most !== null && <span className="font-normal text-text-muted"> of {toText(most)}</span>}
    </p>
    {most !== null && (
      <div aria-hidden className="mt-2 h-1.5 overflow-hidden rounded-full bg-surface-hover">
        <div
          className={`h-full rounded-full ${used >= most ? "bg-danger" : "bg-accent"}`}
          style={{ width: `${Math.min(100, (used / most) * 100)}%` }}
        />
      </div>
    )}
  </li>
);

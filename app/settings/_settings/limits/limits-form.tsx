"use client";
import { useState } from "react";
import * as z from "zod/mini";
import { Button } from "@/app/_ui/controls/button";
import { Field } from "@/app/_ui/controls/field";
import { inputStyle } from "@/app/_ui/controls/input-style";
import { fetchJson, messageOf } from "@/app/_ui/loading/fetch-json";
import { countNouns } from "@/lib/core/flow/format-count";
import type { RunLimitsDetail } from "@/lib/server/teams/run-limits";

const limit = z.nullable(z.number());
const detailSchema: z.ZodMiniType<RunLimitsDetail> = z.object({
  maxRunsPerDay: limit,
  maxRunCost: limit,
  maxCostPerDay: limit,
  maxCostPerMonth: limit,
  used: z.object({ runsToday: z.number(), costToday: z.number(), costThisMonth: z.number() }),
});

const fields = [
  { name: "maxRunsPerDay", label: "Runs a day", step: "1", min: 1 },
  { name: "maxRunCost", label: "US dollars a run", step: "any", min: 0.0001 },
  { name: "maxCostPerDay", label: "US dollars a day", step: "any", min: 0.0001 },
  { name: "maxCostPerMonth", label: "US dollars a month", step: "any", min: 0.0001 },
] as const;
type Name = (typeof fields)[number]["name"];
type Draft = Readonly<Record<Name, string>>;

const toDraft = (limits: RunLimitsDetail): Draft => ({
  maxRunsPerDay: String(limits.maxRunsPerDay ?? ""),
  maxRunCost: String(limits.maxRunCost ?? ""),
  maxCostPerDay: String(limits.maxCostPerDay ?? ""),
  maxCostPerMonth: String(limits.maxCostPerMonth ?? ""),
});
const toLimit = (text: string): number | null => (text.trim() === "" ? null : Number(text));

const toDollars = (amount: number): string =>
  `$${amount.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: amount < 1 ? 4 : 2 })}`;

interface LimitsFormProps {
  initial: RunLimitsDetail;
  mayChange: boolean;
}

export function LimitsForm({ initial, mayChange }: LimitsFormProps) {
  const [stored, setStored] = useState(initial);
  const [draft, setDraft] = useState(() => toDraft(initial));
  const [pending, setPending] = useState(false);
  const [outcome, setOutcome] = useState<{ ok: boolean; text: string } | null>(null);
  const save = async (): Promise<void> => {
    const json = Object.fromEntries(fields.map(({ name }) => [name, toLimit(draft[name])]));
    setPending(true);
    setOutcome(null);
    try {
      const saved = await fetchJson("/api/v1/settings/limits", detailSchema, { json, method: "PUT" });
      setStored(saved);
      setDraft(toDraft(saved));
      setOutcome({ ok: true, text: "Saved." });
    } catch (error) {
      setOutcome({ ok: false, text: messageOf(error) });
    } finally {
      setPending(false);
    }
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <UsedRuns limits={stored} />
      <fieldset disabled={!mayChange} className="grid gap-4 sm:grid-cols-2">
        {fields.map(({ name, label, step, min }) => (
          <Field key={name} label={label}>
            {(attributes) => (
              <input
                {...attributes}
                type="number"
                min={min}
                step={step}
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
      <div role="status" className="empty:hidden">
        {outcome && <p className={outcome.ok ? "text-success" : "text-danger"}>{outcome.text}</p>}
      </div>
    </form>
  );
}

/** Days and months are those of UTC, as for the limits. */
const UsedRuns = ({ limits: { used, maxRunsPerDay, maxCostPerDay, maxCostPerMonth } }: { limits: RunLimitsDetail }) => (
  <ul aria-label="Used" className="grid gap-3 sm:grid-cols-3">
    <UsedAmount
      label="Today"
      text={countNouns(used.runsToday, "run")}
      used={used.runsToday}
      most={maxRunsPerDay}
      mostText={String(maxRunsPerDay)}
    />
    <UsedAmount
      label="Cost today"
      text={toDollars(used.costToday)}
      used={used.costToday}
      most={maxCostPerDay}
      mostText={toDollars(maxCostPerDay ?? 0)}
    />
    <UsedAmount
      label="Cost this month"
      text={toDollars(used.costThisMonth)}
      used={used.costThisMonth}
      most={maxCostPerMonth}
      mostText={toDollars(maxCostPerMonth ?? 0)}
    />
  </ul>
);

interface UsedAmountProps {
  label: string;
  text: string;
  used: number;
  most: number | null;
  mostText: string;
}

const UsedAmount = ({ label, text, used, most, mostText }: UsedAmountProps) => (
  <li className="rounded-md border p-3">
    <p className="text-text-muted text-xs">{label} (UTC)</p>
    <p className="font-semibold tabular-nums">
      {text}
      {most !== null && <span className="font-normal text-text-muted"> of {mostText}</span>}
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

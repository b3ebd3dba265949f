"use client";
import { useId, useState } from "react";
import * as z from "zod/mini";
import { Button } from "@/app/_ui/controls/button";
import { Checkbox } from "@/app/_ui/controls/checkbox";
import { inputStyle } from "@/app/_ui/controls/input-style";
import { RelativeTime } from "@/app/_ui/format/relative-time";
import { fetchJson, messageOf } from "@/app/_ui/loading/fetch-json";
import type { RetentionDetail, RetentionPreview, RetentionSetting } from "@/lib/server/retention/retention-setting";

const address = "/api/v1/settings/retention";

const detailSchema: z.ZodMiniType<RetentionDetail> = z.object({
  enabled: z.boolean(),
  days: z.number(),
  keep: z.number(),
  lastAt: z.nullable(z.number()),
  lastDeleted: z.number(),
});
const previewSchema: z.ZodMiniType<RetentionPreview> = z.object({
  runs: z.number(),
  allRuns: z.number(),
  oldest: z.nullable(z.number()),
  newest: z.nullable(z.number()),
  flows: z.array(z.object({ id: z.string(), name: z.string(), runs: z.number() })),
});

interface RetentionDraft {
  enabled: boolean;
  days: string;
  keep: string;
}

const toSetting = ({ enabled, days, keep }: RetentionDraft): RetentionSetting => ({
  enabled,
  days: Number(days),
  keep: Number(keep),
});

export function RetentionForm({ initial }: { initial: RetentionDetail }) {
  const { draft, change, stored, preview, pending, outcome, showPreview, save } = useRetention(initial);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Checkbox
        label="Delete old runs"
        hint="With their steps, texts and events, for good. Flows and their versions stay."
        checked={draft.enabled}
        onChange={(enabled) => change({ enabled })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField
          label="Days to keep a run after its end"
          value={draft.days}
          range={[1, 3_650]}
          onChange={(days) => change({ days })}
        />
        <NumberField
          label="Newest runs of each flow that always stay"
          value={draft.keep}
          range={[0, 10_000]}
          onChange={(keep) => change({ keep })}
        />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" pending={pending === "save"} disabled={pending !== null}>
          Save
        </Button>
        <Button onClick={() => void showPreview()} pending={pending === "preview"} disabled={pending !== null}>
          Show what would be deleted
        </Button>
      </div>
      <div role="status" className="flex flex-col gap-2 empty:hidden">
        {outcome && <p className={outcome.ok ? "text-success" : "text-danger"}>{outcome.text}</p>}
        {preview && <Preview preview={preview} />}
      </div>
      {stored.lastAt !== null && (
        <p className="border-line border-t pt-3 text-text-muted">
          Last time <RelativeTime at={stored.lastAt} />: {countRuns(stored.lastDeleted)} deleted
        </p>
      )}
    </form>
  );
}

function useRetention(initial: RetentionDetail) {
  const [stored, setStored] = useState(initial);
  const [draft, setDraft] = useState<RetentionDraft>({
    enabled: initial.enabled,
    days: String(initial.days),
    keep: String(initial.keep),
  });
  const [preview, setPreview] = useState<RetentionPreview | null>(null);
  const [pending, setPending] = useState<"save" | "preview" | null>(null);
  const [outcome, setOutcome] = useState<{ ok: boolean; text: string } | null>(null);
  const perform = async (action: "save" | "preview", request: () => Promise<void>): Promise<void> => {
    setPending(action);
    setOutcome(null);
    setPreview(null);
    await request().catch((error: unknown) => setOutcome({ ok: false, text: messageOf(error) }));
    setPending(null);
  };
  const save = (): Promise<void> =>
    perform("save", async () => {
      const saved = await fetchJson(address, detailSchema, { json: toSetting(draft), method: "PUT" });
      setStored(saved);
      const text = saved.enabled ? "Saved. Old runs are deleted once an hour." : "Saved. No run is deleted.";
      setOutcome({ ok: true, text });
    });
  const showPreview = (): Promise<void> =>
    perform("preview", async () =>
      setPreview(await fetchJson(`${address}/preview`, previewSchema, { json: toSetting(draft) })),
    );
  const change = (changes: Partial<RetentionDraft>): void => {
    setDraft((current) => ({ ...current, ...changes }));
    setPreview(null);
  };
  return { draft, change, stored, preview, pending, outcome, save, showPreview };
}

interface NumberFieldProps {
  label: string;
  value: string;
  range: readonly [least: number, most: number];
  onChange(value: string): void;
}

function NumberField({ label, value, range: [least, most], onChange }: NumberFieldProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      <input
        id={id}
        type="number"
        required
        min={least}
        max={most}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={inputStyle}
      />
    </div>
  );
}

const countRuns = (count: number): string => `${count.toLocaleString("en")} ${count === 1 ? "run" : "runs"}`;

function Preview({ preview: { runs, allRuns, oldest, newest, flows } }: { preview: RetentionPreview }) {
  if (runs === 0) return <p>No run would be deleted now, of {countRuns(allRuns)}.</p>;
  const others = runs - flows.reduce((sum, flow) => sum + flow.runs, 0);
  return (
    <>
      <p>
        <strong className="font-semibold">{countRuns(runs)}</strong> of {allRuns.toLocaleString("en")} would be deleted
        now
        {oldest !== null && newest !== null && (
          <>
            , from <RelativeTime at={oldest} /> to <RelativeTime at={newest} />
          </>
        )}
        :
      </p>
      <ul className="divide-y rounded-md border">
        {flows.map((flow) => (
          <li key={flow.id} className="flex justify-between gap-4 px-3 py-1.5">
            <span className="min-w-0 truncate">{flow.name}</span>
            <span className="shrink-0 text-text-muted tabular-nums">{countRuns(flow.runs)}</span>
          </li>
        ))}
        {others > 0 && (
          <li className="flex justify-between gap-4 px-3 py-1.5 text-text-muted">
            <span>Other flows</span>
            <span className="tabular-nums">{countRuns(others)}</span>
          </li>
        )}
      </ul>
    </>
  );
}

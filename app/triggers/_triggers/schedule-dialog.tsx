import { useState } from "react";
import { Button } from "@/app/_ui/controls/button";
import { Checkbox } from "@/app/_ui/controls/checkbox";
import { Dialog, DialogActions } from "@/app/_ui/controls/dialog";
import { DialogProblem, Field, SelectField } from "@/app/_ui/controls/field";
import { inputStyle } from "@/app/_ui/controls/input-style";
import { Select } from "@/app/_ui/controls/select";
import type { ScheduleDetail } from "@/lib/server/schedules/schedule-setting";
import { NameAndFlow } from "./form-fields";
import { type FlowChoice, type ScheduleDraft, saveSchedule } from "./requests";
import { SchedulePreview } from "./schedule-preview";
import { useSaving } from "./use-saving";

interface ScheduleDialogProps {
  /** Null: it is a new one. */
  id: string | null;
  initial: ScheduleDraft | null;
  flows: readonly FlowChoice[];
  onSaved(schedule: ScheduleDetail): void;
  onClose(): void;
}

const ownTimes = "own";
const presets = [
  ["0 * * * *", "Every hour"],
  ["0 9 * * *", "Every day at 09:00"],
  ["0 9 * * 1-5", "Monday to Friday at 09:00"],
  ["0 9 * * 1", "Every Monday at 09:00"],
  ["0 9 1 * *", "On the first of every month at 09:00"],
] as const;

const missedTexts = {
  once: "Run once, when the server is back",
  each: "Run once for each, up to 100",
  skip: "Leave them out",
} as const;
type MissedPolicy = keyof typeof missedTexts;
const missedPolicies: readonly MissedPolicy[] = ["once", "each", "skip"];

const toNewDraft = (flow: string): ScheduleDraft => ({
  flow,
  name: "",
  cron: "0 9 * * 1-5",
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  input: "",
  missed: "once",
  overlap: false,
  enabled: true,
});

export function ScheduleDialog({ id, initial, flows, onSaved, onClose }: ScheduleDialogProps) {
  const [draft, setDraft] = useState(() => initial ?? toNewDraft(flows[0]?.id ?? ""));
  const { pending, problem, send } = useSaving();
  const change = (changes: Partial<ScheduleDraft>): void => setDraft((current) => ({ ...current, ...changes }));
  return (
    <Dialog open onOpenChange={onClose} title={id === null ? "New schedule" : "Edit schedule"}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          send(saveSchedule(id, draft), onSaved);
        }}
      >
        <NameAndFlow draft={draft} flows={flows} example="Morning report" onChange={change} />
        <TimesFields draft={draft} onChange={change} />
        <Field label="Input of each run">
          {(attributes) => (
            <textarea
              {...attributes}
              rows={3}
              maxLength={500_000}
              value={draft.input}
              onChange={({ target }) => change({ input: target.value })}
              className={`${inputStyle} h-auto py-1.5 pointer-coarse:h-auto`}
            />
          )}
        </Field>
        <SelectField
          label="Missed times"
          value={draft.missed}
          options={missedPolicies.map((policy) => [policy, missedTexts[policy]] as const)}
          onChange={(value) => change({ missed: missedPolicies.find((policy) => policy === value) })}
        />
        <Checkbox label="Allow overlapping runs" checked={draft.overlap} onChange={(overlap) => change({ overlap })} />
        <DialogProblem problem={problem} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" pending={pending}>
            {id === null ? "Create schedule" : "Save"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface TimesFieldsProps {
  draft: ScheduleDraft;
  onChange(changes: Partial<ScheduleDraft>): void;
}

function TimesFields({ draft: { cron, timeZone }, onChange }: TimesFieldsProps) {
  const [isOwn, setOwn] = useState(!presets.some(([preset]) => preset === cron));
  return (
    <div className="grid gap-4 rounded-md border p-3 sm:grid-cols-2">
      <div className="flex flex-col gap-2">
        <span className="font-medium">Times</span>
        <Select
          label="Times"
          value={isOwn ? ownTimes : cron}
          options={[...presets, [ownTimes, "Own expression…"]]}
          onChange={(value) => {
            setOwn(value === ownTimes);
            if (value !== ownTimes) onChange({ cron: value });
          }}
          className="h-8 w-full rounded-md border-line-input px-2 pointer-coarse:h-10"
        />
        {isOwn && (
          <Field label="Cron expression" hint="Minute, hour, day of month, month, day of week.">
            {(attributes) => (
              <input
                {...attributes}
                required
                maxLength={200}
                spellCheck={false}
                value={cron}
                onChange={({ target }) => onChange({ cron: target.value })}
                className={`${inputStyle} font-mono`}
              />
            )}
          </Field>
        )}
      </div>
      <Field label="Time zone">
        {(attributes) => (
          <>
            <input
              {...attributes}
              required
              maxLength={100}
              list="time-zones"
              spellCheck={false}
              value={timeZone}
              onChange={({ target }) => onChange({ timeZone: target.value })}
              className={inputStyle}
            />
            <datalist id="time-zones">
              {["UTC", ...Intl.supportedValuesOf("timeZone")].map((zone) => (
                <option key={zone} value={zone} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <SchedulePreview times={{ cron, timeZone }} />
    </div>
  );
}

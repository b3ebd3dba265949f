import dynamic from "next/dynamic";
import { useState } from "react";
import { runStatuses } from "@/lib/core/run/events/run-status";
import { failureWord } from "@/lib/core/trace/model/failure";
import { type RunFilter, readRunFilter, runFilterSchema, type TimeSpan } from "@/lib/core/trace/model/run-filter";
import type { RunChoices } from "@/lib/server/runs/read/list-runs";
import { statusStyles } from "../../_ui/badges/status-badge";
import { Select } from "../../_ui/controls/select";
import { loadPart } from "../../_ui/loading/load-part";
import { CommitField } from "./commit-field";

const TimeRange = dynamic(() => loadPart(() => import("./time-range")), { ssr: false });

export interface FilterChoices extends RunChoices {
  flows: readonly { id: string; name: string; isInTrash: boolean }[];
}

interface RunFiltersProps {
  filter: RunFilter;
  choices: FilterChoices;
  onChange(filter: RunFilter): void;
}

const spans: Record<TimeSpan, string> = {
  "1h": "Last hour",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
};
const ownRange = "own";
const statuses = runStatuses.map((status) => [status, statusStyles[status].word] as const);

export function RunFilters({ filter, choices, onChange }: RunFiltersProps) {
  const { flows, people, models, errors } = choices;
  const pick = (key: "flow" | "status" | "person" | "model" | "error") => ({
    value: filter[key] ?? "",
    // Parsed like the query string, which it becomes.
    onChoose: (value: string) => onChange(readRunFilter({ ...filter, [key]: value === "" ? undefined : value })),
  });
  return (
    <>
      <FilterSelect
        label="Flow"
        all="All flows"
        options={flows.map(({ id, name, isInTrash }) => [id, isInTrash ? `${name} (in the trash)` : name])}
        {...pick("flow")}
      />
      <FilterSelect label="Status" all="Any status" options={statuses} {...pick("status")} />
      <TimeFilter filter={filter} onChange={onChange} />
      {(people.length > 1 || filter.person !== undefined) && (
        <FilterSelect
          label="Person"
          all="Anyone"
          options={people.map(({ id, name }) => [id, name])}
          {...pick("person")}
        />
      )}
      {(models.length > 0 || filter.model !== undefined) && (
        <FilterSelect
          label="Model"
          all="Any model"
          options={models.map((model) => [model, model])}
          {...pick("model")}
        />
      )}
      {(errors.length > 0 || filter.error !== undefined) && (
        <FilterSelect
          label="Error"
          all="Any error"
          options={errors.map((code) => [code, failureWord(code)])}
          {...pick("error")}
        />
      )}
      <CostFilter filter={filter} onChange={onChange} />
    </>
  );
}

function TimeFilter({ filter, onChange }: Omit<RunFiltersProps, "choices">) {
  const { from: earliest, to: latest, since, ...otherFilters } = filter;
  const [isOwn, setOwn] = useState(false);
  const isOwnRange = isOwn || earliest !== undefined || latest !== undefined;
  const choose = (value: string): void => {
    setOwn(value === ownRange);
    if (value !== ownRange) onChange(readRunFilter({ ...otherFilters, since: value === "" ? undefined : value }));
    else if (since !== undefined) onChange(otherFilters);
  };
  return (
    <>
      <FilterSelect
        label="Time"
        all="Any time"
        options={[...Object.entries(spans), [ownRange, "From … to …"]]}
        value={isOwnRange ? ownRange : (since ?? "")}
        onChoose={choose}
      />
      {isOwnRange && <TimeRange filter={{ ...otherFilters, from: earliest, to: latest }} onChange={onChange} />}
    </>
  );
}

function CostFilter({ filter, onChange }: Omit<RunFiltersProps, "choices">) {
  const field = (key: "costFrom" | "costTo", label: string, placeholder: string) => (
    <CommitField
      label={label}
      format={{
        type: "text",
        hint: "US dollars like 0.25",
        parse: (text) => runFilterSchema.shape[key].safeParse(text.replace(/^\$/, "")).data ?? null,
      }}
      value={filter[key]}
      placeholder={placeholder}
      onCommit={(dollars) => onChange({ ...filter, [key]: dollars })}
    />
  );
  return (
    <div className="flex items-center gap-1.5 text-text-muted">
      {field("costFrom", "Cost from, US dollars", "Cost $")}
      <span>to</span>
      {field("costTo", "Cost to, US dollars", "$")}
    </div>
  );
}

interface FilterSelectProps {
  label: string;
  all: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChoose(id: string): void;
}

function FilterSelect({ label, all, value, options, onChoose }: FilterSelectProps) {
  const isListed = value === "" || options.some(([option]) => option === value);
  return (
    <Select
      label={label}
      value={value}
      options={[["", all], ...(isListed ? [] : [[value, value] as const]), ...options]}
      onChange={onChoose}
      className={`h-8 w-full rounded-md px-2 sm:w-auto sm:max-w-44 ${value === "" ? "border-line-input" : "border-accent font-medium"}`}
    />
  );
}

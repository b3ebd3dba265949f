import type { RunFilter } from "@/lib/core/trace/model/run-filter";
import { CommitField, type InputFormat } from "./commit-field";

const localTime: InputFormat = {
  type: "datetime-local",
  hint: "Choose a day and a time.",
  print(iso) {
    const date = new Date(iso);
    return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  },
  parse(text) {
    const date = new Date(text);
    return Number.isNaN(date.getTime()) ? null : date.toISOString();
  },
};

/** From when and until when, in the browser's time zone: never drawn on the server, which does not know it. */
export default function TimeRange({ filter, onChange }: { filter: RunFilter; onChange(filter: RunFilter): void }) {
  const field = (key: "from" | "to", label: string) => (
    <CommitField
      label={label}
      format={localTime}
      value={filter[key]}
      onCommit={(moment) => onChange({ ...filter, [key]: moment })}
    />
  );
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {field("from", "Started from")}
      <span className="text-text-muted">to</span>
      {field("to", "Started before")}
    </div>
  );
}

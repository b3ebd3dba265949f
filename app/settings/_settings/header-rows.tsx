import { Plus, X } from "lucide-react";
import { inputStyle } from "@/app/_ui/controls/input-style";
import { Button } from "../../_ui/controls/button";
import { IconButton } from "../../_ui/controls/icon-button";

export interface HeaderRow {
  id: number;
  name: string;
  variable: string;
}

interface HeaderRowsProps {
  rows: readonly HeaderRow[];
  onChange(rows: HeaderRow[]): void;
}

export function HeaderRows({ rows, onChange }: HeaderRowsProps) {
  const set = (id: number, change: Partial<HeaderRow>): void =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...change } : row)));
  const next = Math.max(-1, ...rows.map(({ id }) => id)) + 1;
  return (
    <fieldset>
      <legend className="mb-1 font-medium">Headers</legend>
      <p className="mb-2 text-text-muted text-xs">
        Values are never stored: each is read from an environment variable of the server whose name begins with
        SWARMLOOM_OTLP_.
      </p>
      <ul className="flex flex-col gap-2">
        {rows.map(({ id, name, variable }, index) => (
          <li key={id} className="flex items-center gap-2">
            <input
              aria-label={`Header ${index + 1}`}
              value={name}
              maxLength={100}
              placeholder="authorization"
              onChange={(event) => set(id, { name: event.target.value })}
              className={inputStyle}
            />
            <input
              aria-label={`Variable of header ${index + 1}`}
              value={variable}
              maxLength={100}
              placeholder="SWARMLOOM_OTLP_AUTH"
              onChange={(event) => set(id, { variable: event.target.value })}
              className={`${inputStyle} font-mono`}
            />
            <IconButton
              label={`Remove header ${index + 1}`}
              onClick={() => onChange(rows.filter((row) => row.id !== id))}
            >
              <X size={14} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <Button
        size="small"
        variant="ghost"
        className="mt-2 -ml-2"
        disabled={rows.length >= 20}
        onClick={() => onChange([...rows, { id: next, name: "", variable: "" }])}
      >
        <Plus size={14} aria-hidden /> Add a header
      </Button>
    </fieldset>
  );
}

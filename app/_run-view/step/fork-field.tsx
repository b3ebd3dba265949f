import { useId } from "react";

export interface ForkFieldFacts {
  name: "input" | "instructions" | "output";
  label: string;
  rows: number;
  /** What the step had; null: it is not known here, an empty field keeps it. */
  recorded: string | null;
}

export const controlClass =
  "w-full rounded-md border border-line-input bg-surface px-2 py-1 text-[13px] leading-5 placeholder:text-text-faint";

export function ForkField({
  field: { label, rows, recorded },
  value,
  onChange,
}: {
  field: ForkFieldFacts;
  value: string;
  onChange(text: string): void;
}) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium text-[13px]">
        {label}
      </label>
      <textarea
        id={id}
        rows={rows}
        value={value}
        placeholder={recorded === null ? "As it was" : undefined}
        onChange={(event) => onChange(event.target.value)}
        className={controlClass}
      />
    </div>
  );
}

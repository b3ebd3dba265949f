import { useId } from "react";

interface SegmentsProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange(value: Value): void;
}

/** One of a few, all of them visible. */
export function Segments<Value extends string>({ label, value, options, onChange }: SegmentsProps<Value>) {
  const name = useId();
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 font-medium text-text-muted text-xs">{label}</legend>
      <div className="flex gap-0.5 rounded-md bg-surface-hover p-0.5">
        {options.map((option) => (
          <label
            key={option.value}
            className="flex h-6 flex-1 cursor-pointer items-center justify-center rounded px-2 font-medium text-text-muted text-xs has-checked:bg-surface has-checked:text-text has-checked:shadow-[0_0_0_1px_var(--line-strong)] dark:has-checked:bg-line-strong has-focus-visible:outline-2 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              name={name}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className="sr-only"
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

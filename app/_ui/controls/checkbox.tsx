import { useId } from "react";

interface CheckboxProps {
  label: string;
  hint?: string;
  checked: boolean;
  onChange(checked: boolean): void;
}

export function Checkbox({ label, hint, checked, onChange }: CheckboxProps) {
  const id = useId();
  return (
    <div>
      <label className="flex min-h-6 w-fit items-center gap-2 font-medium">
        <input
          type="checkbox"
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
          aria-describedby={hint === undefined ? undefined : id}
          className="size-4 accent-accent"
        />
        {label}
      </label>
      {hint !== undefined && (
        <p id={id} className="pl-6 text-text-muted text-xs">
          {hint}
        </p>
      )}
    </div>
  );
}

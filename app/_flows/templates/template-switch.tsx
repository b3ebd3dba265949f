interface TemplateSwitchProps {
  kind: "use" | "construct";
  onChange(kind: "use" | "construct"): void;
}

const kinds = [
  { kind: "use", label: "By use" },
  { kind: "construct", label: "By construct" },
] as const;

export function TemplateSwitch({ kind, onChange }: TemplateSwitchProps) {
  return (
    <fieldset className="flex gap-0.5 rounded-md bg-surface-hover p-0.5">
      <legend className="sr-only">Show templates</legend>
      {kinds.map((option) => (
        <button
          key={option.kind}
          type="button"
          aria-pressed={kind === option.kind}
          onClick={() => onChange(option.kind)}
          className="h-6 rounded px-2.5 font-medium text-text-muted text-xs aria-pressed:bg-surface-raised aria-pressed:text-text aria-pressed:shadow-card"
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}

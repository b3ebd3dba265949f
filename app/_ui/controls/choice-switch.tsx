import type { LucideIcon } from "lucide-react";

interface ChoiceSwitchProps<Value extends string> {
  /** For assistive technology. */
  label: string;
  value: Value;
  /** With an icon, the label becomes the hint of the button. */
  choices: readonly { value: Value; label: string; icon?: LucideIcon }[];
  onChange(value: NoInfer<Value>): void;
}

/** One of a few ways to show something, all of them visible. */
export function ChoiceSwitch<Value extends string>({ label, value, choices, onChange }: ChoiceSwitchProps<Value>) {
  return (
    <fieldset className="flex w-fit shrink-0 rounded-[7px] bg-surface-hover p-0.5">
      <legend className="sr-only">{label}</legend>
      {choices.map(({ value: choice, label: name, icon: Icon }) => (
        <button
          key={choice}
          type="button"
          {...(Icon && { "aria-label": name, "data-hint": name })}
          aria-pressed={choice === value}
          onClick={() => onChange(choice)}
          className={`grid h-6.5 place-items-center rounded-[5px] font-medium text-text-muted hover:text-text aria-pressed:bg-surface aria-pressed:text-text dark:aria-pressed:bg-line-strong aria-pressed:shadow-[0_0_0_1px_var(--line-strong)] ${Icon ? "w-7" : "px-3"}`}
        >
          {Icon ? <Icon size={15} aria-hidden /> : name}
        </button>
      ))}
    </fieldset>
  );
}

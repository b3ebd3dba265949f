export interface InputFormat {
  type: "text" | "datetime-local";
  /** The hint for a text that has no value. */
  hint: string;
  print?(value: string): string;
  /** Null: the text has no value. */
  parse(text: string): string | null;
}

interface CommitFieldProps {
  label: string;
  format: InputFormat;
  value: string | undefined;
  placeholder?: string;
  onCommit(value: string | undefined): void;
}

export function CommitField({ label, format, value, placeholder, onCommit }: CommitFieldProps) {
  const commit = (input: HTMLInputElement): void => {
    const text = input.value.trim();
    const next = text === "" ? undefined : format.parse(text);
    input.setCustomValidity(next === null ? format.hint : "");
    if (next === null) input.reportValidity();
    else if (next !== value) onCommit(next);
  };
  const displayedValue = value === undefined ? "" : (format.print?.(value) ?? value);
  return (
    <input
      key={displayedValue}
      type={format.type}
      aria-label={label}
      defaultValue={displayedValue}
      placeholder={placeholder}
      inputMode={format.type === "text" ? "decimal" : undefined}
      onChange={({ target }) => target.setCustomValidity("")}
      onBlur={({ target }) => commit(target)}
      onKeyDown={({ key, currentTarget }) => key === "Enter" && commit(currentTarget)}
      className={`h-8 min-w-0 rounded-md border bg-surface px-2 tabular-nums placeholder:text-text-faint invalid:border-danger ${value === undefined ? "border-line-input" : "border-accent"} ${format.type === "text" ? "w-20" : "w-full sm:w-48"}`}
    />
  );
}

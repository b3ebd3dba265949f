"use client";
import type { FocusEvent, KeyboardEvent } from "react";

interface CommitFieldProps {
  label: string;
  type: "text" | "datetime-local";
  value: string | undefined;
  placeholder?: string;
  show?(value: string): string;
  /** The value that a text means; null when it means none, with what to do then. */
  read(text: string): string | null;
  hint: string;
  onCommit(value: string | undefined): void;
}

export function CommitField({ label, type, value, placeholder, show, read, hint, onCommit }: CommitFieldProps) {
  const commit = (input: HTMLInputElement): void => {
    const text = input.value.trim();
    const next = text === "" ? undefined : read(text);
    input.setCustomValidity(next === null ? hint : "");
    if (next === null) input.reportValidity();
    else if (next !== value) onCommit(next);
  };
  const displayedValue = value === undefined ? "" : (show?.(value) ?? value);
  return (
    <input
      key={displayedValue}
      type={type}
      aria-label={label}
      defaultValue={displayedValue}
      placeholder={placeholder}
      inputMode={type === "text" ? "decimal" : undefined}
      onChange={({ target }) => target.setCustomValidity("")}
      onBlur={({ target }: FocusEvent<HTMLInputElement>) => commit(target)}
      onKeyDown={({ key, currentTarget }: KeyboardEvent<HTMLInputElement>) => key === "Enter" && commit(currentTarget)}
      className={`h-8 min-w-0 rounded-md border bg-surface px-2 tabular-nums placeholder:text-text-faint invalid:border-danger ${value === undefined ? "border-line-strong" : "border-accent"} ${type === "text" ? "w-20" : "w-full sm:w-48"}`}
    />
  );
}

import type { KeyboardEvent } from "react";

export function walkTabs(event: KeyboardEvent<HTMLElement>): void {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")];
  const focusedIndex = all.findIndex((tab) => tab.matches(":focus"));
  const steps: Partial<Record<string, number>> = {
    ArrowRight: focusedIndex + 1,
    ArrowLeft: focusedIndex - 1,
    Home: 0,
    End: -1,
  };
  const step = steps[event.key];
  if (focusedIndex < 0 || step === undefined) return;
  event.preventDefault();
  const next = all.at(step % all.length);
  next?.focus();
  next?.click();
}

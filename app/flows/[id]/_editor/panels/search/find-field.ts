import type { Session } from "../../state/session";

export const fieldAttributes = {
  type: "text",
  autoComplete: "off",
  spellCheck: false,
  className:
    "h-8 min-w-0 flex-1 rounded-md border border-line-input bg-surface px-2 text-[13px] placeholder:text-text-faint",
} as const;

const findFieldId = "find-in-flow";

export const findFieldAttributes = {
  ...fieldAttributes,
  id: findFieldId,
  "aria-label": "Find",
  placeholder: "Find",
} as const;

/** What was typed before the panel had loaded. */
export interface FirstSearch {
  text: string;
  /** How many hits Enter went forward; negative: back. */
  steps: number;
}

/** With the caret after what is written there already. */
export function focusFindField(): void {
  const field = document.getElementById(findFieldId);
  if (!(field instanceof HTMLInputElement)) return;
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}

export function closeSearch({ view }: Session): void {
  view.setState({ surface: null });
  document.getElementById("flow-canvas")?.focus();
}

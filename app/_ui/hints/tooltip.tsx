import { cloneElement, type ReactElement } from "react";

/** A short hint beside its one child, on hover and focus; `Hints` shows it. The child keeps its own accessible name. */
export function Tooltip({ content, children }: { content: string; children: ReactElement<{ "data-hint"?: string }> }) {
  return cloneElement(children, { "data-hint": content });
}

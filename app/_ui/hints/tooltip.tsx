import { cloneElement, type ReactElement } from "react";

export function Tooltip({ content, children }: { content: string; children: ReactElement<{ "data-hint"?: string }> }) {
  return cloneElement(children, { "data-hint": content });
}

"use client";
import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement } from "react";

/** A short hint beside its one child, on hover and focus. The child keeps its own accessible name. */
export function Tooltip({ content, children }: { content: string; children: ReactElement }) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} className="z-50">
          <Base.Popup className="max-w-72 rounded-md bg-text px-2 py-1 text-surface text-xs">{content}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

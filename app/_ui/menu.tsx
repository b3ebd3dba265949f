"use client";
import { Menu as Base } from "@base-ui/react/menu";
import { MoreHorizontal } from "lucide-react";
import type { ReactNode } from "react";

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  danger?: boolean;
  onSelect(): void;
}

/** A button with a menu of actions; `trigger` stands for the usual three dots. */
export function Menu({ label, items, trigger }: { label: string; items: readonly MenuItem[]; trigger?: ReactNode }) {
  return (
    <Base.Root>
      <Base.Trigger
        aria-label={label}
        className="inline-flex h-7 min-w-7 shrink-0 items-center justify-center gap-1 rounded-md px-1 text-text-muted hover:bg-surface-hover hover:text-text"
      >
        {trigger ?? <MoreHorizontal size={16} aria-hidden />}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner align="end" sideOffset={4} className="z-40">
          <Base.Popup className="min-w-40 rounded-md border border-line bg-surface-raised p-1 shadow-popover">
            {items.map(({ label: text, icon, danger, onSelect }) => (
              <Base.Item
                key={text}
                onClick={onSelect}
                className={`flex h-8 cursor-default items-center gap-2 rounded px-2 outline-none data-highlighted:bg-surface-hover ${danger ? "text-danger" : ""}`}
              >
                {icon}
                {text}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

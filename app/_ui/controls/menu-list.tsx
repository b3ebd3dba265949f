import { Menu as Base } from "@base-ui/react/menu";
import { type FocusEvent, type ReactNode, type RefObject, useRef } from "react";

export interface MenuItem {
  label: string;
  /** Identifies it among items of equal labels. */
  key?: string;
  /** Displayed in place of the label. */
  content?: ReactNode;
  icon?: ReactNode;
  danger?: boolean;
  /** What it opens takes the focus, which else returns to the button of the menu. */
  movesFocus?: boolean;
  onSelect(): void;
}

interface MenuListProps {
  label: string;
  items: readonly MenuItem[];
  anchor: RefObject<HTMLButtonElement | null>;
  startAtFirst: boolean;
  onClose(): void;
}

export default function MenuList({ label, items, anchor, startAtFirst, onClose }: MenuListProps) {
  const isFocusMoved = useRef(false);
  const isToStart = useRef(startAtFirst);
  const start = ({ target, currentTarget }: FocusEvent): void => {
    if (!isToStart.current || target !== currentTarget) return;
    isToStart.current = false;
    currentTarget.querySelector<HTMLElement>("[role=menuitem]")?.focus();
  };
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Positioner anchor={anchor} align="end" sideOffset={4} className="z-40">
          <Base.Popup
            onFocus={start}
            aria-label={label}
            finalFocus={() => (isFocusMoved.current ? false : anchor.current)}
            className="max-h-(--available-height) min-w-40 overflow-y-auto rounded-md border border-line bg-surface-raised p-1 shadow-popover outline-none"
          >
            {items.map(({ label: text, key = text, content = text, icon, danger, movesFocus = false, onSelect }) => (
              <Base.Item
                key={key}
                label={text}
                aria-label={content === text ? undefined : text}
                onClick={() => {
                  isFocusMoved.current = movesFocus;
                  onSelect();
                }}
                className={`flex h-8 cursor-default items-center gap-2 rounded px-2 outline-none data-highlighted:bg-surface-hover ${danger ? "text-danger" : ""}`}
              >
                {icon}
                {content}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

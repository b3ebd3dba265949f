import { Menu as Base } from "@base-ui/react/menu";
import { type FocusEvent, type ReactNode, type RefObject, useRef } from "react";
import { groupBy } from "@/lib/core/flow/group-by";

export interface MenuItem {
  label: string;
  /** Items of one heading follow it, with a line above. */
  heading?: string;
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
            {[...groupBy(items, ({ heading }) => heading)].map(([heading, members]) => (
              <Base.Group
                key={heading ?? ""}
                className="not-first:mt-1 not-first:border-line not-first:border-t not-first:pt-1"
              >
                {heading !== undefined && (
                  <Base.GroupLabel className="px-2 py-1 font-medium text-[11px] text-text-muted">
                    {heading}
                  </Base.GroupLabel>
                )}
                {members.map((item) => (
                  <Item
                    key={item.key ?? item.label}
                    item={item}
                    onPick={() => {
                      isFocusMoved.current = item.movesFocus ?? false;
                      item.onSelect();
                    }}
                  />
                ))}
              </Base.Group>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

const Item = ({ item: { label, content = label, icon, danger }, onPick }: { item: MenuItem; onPick(): void }) => (
  <Base.Item
    label={label}
    aria-label={content === label ? undefined : label}
    onClick={onPick}
    className={`flex h-8 cursor-default items-center gap-2 rounded px-2 outline-none data-highlighted:bg-surface-hover ${danger ? "text-danger" : ""}`}
  >
    {icon}
    {content}
  </Base.Item>
);

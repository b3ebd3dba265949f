import { Menu as Base } from "@base-ui/react/menu";
import { Fragment } from "react";
import { Shortcut } from "@/app/_ui/keys/keys";

export interface MenuAction {
  label: string;
  keys?: string | undefined;
  danger?: boolean;
  run(): void;
}

interface ActionMenuProps {
  anchor: DOMRect;
  label: string;
  groups: readonly MenuAction[][];
  /** Receives the focus when the menu closes; missing: what had it before. */
  focusAfter?: () => HTMLElement | null;
  onClose(): void;
}

/** A menu at a point or beside a part of the page, with the shortcuts of its actions. */
export function ActionMenu({ anchor, label, groups, focusAfter, onClose }: ActionMenuProps) {
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Positioner
          anchor={{ getBoundingClientRect: () => anchor }}
          side="bottom"
          align="start"
          sideOffset={2}
          // At a point there is nothing to keep free: a menu that has no room below moves up instead of getting lower.
          collisionAvoidance={anchor.height === 0 ? { side: "shift" } : { side: "flip" }}
          className="z-50"
        >
          <Base.Popup
            aria-label={label}
            {...(focusAfter && { finalFocus: focusAfter })}
            className="outline-none max-h-(--available-height) min-w-52 overflow-y-auto rounded-md border border-line bg-surface-raised p-1 shadow-popover"
          >
            {groups.map((group, index) => (
              <Fragment key={group[0]?.label}>
                {index > 0 && <Base.Separator className="my-1 h-px bg-line" />}
                {group.map(({ label: text, keys, danger, run }) => (
                  <Base.Item
                    key={text}
                    onClick={() => {
                      onClose();
                      run();
                    }}
                    className={`flex h-7 cursor-default items-center gap-4 rounded px-2 text-xs outline-none data-highlighted:bg-surface-selected pointer-coarse:h-10 ${danger ? "text-danger" : ""}`}
                  >
                    {text}
                    {keys && <Shortcut keys={keys} />}
                  </Base.Item>
                ))}
              </Fragment>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

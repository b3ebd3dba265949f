import { Menu as Base } from "@base-ui/react/menu";
import { Fragment } from "react";
import { Keys } from "@/app/_ui/keys/keys";
import type { RowAction } from "./row-actions";

interface RowMenuProps {
  anchor: DOMRect;
  label: string;
  groups: readonly RowAction[][];
  onClose(): void;
}

export function RowMenu({ anchor, label, groups, onClose }: RowMenuProps) {
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Positioner
          anchor={{ getBoundingClientRect: () => anchor }}
          side="bottom"
          align="start"
          sideOffset={2}
          className="z-50"
        >
          <Base.Popup
            aria-label={label}
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
                    {keys && <Keys keys={keys} />}
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

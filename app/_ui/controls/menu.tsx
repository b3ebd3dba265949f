import { MoreHorizontal } from "lucide-react";
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useRef, useState } from "react";
import { loadPart } from "../loading/load-part";
import type { MenuItem } from "./menu-list";

let listPart: Promise<typeof import("./menu-list")> | undefined;
const loadList = () => {
  listPart ??= loadPart(() => import("./menu-list"));
  return listPart;
};
const MenuList = lazy(loadList);

interface MenuProps {
  label: string;
  items: readonly MenuItem[];
  trigger?: ReactNode;
}

export function Menu({ label, items, trigger }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState<"by pointer" | "by key" | null>(null);
  const openByArrow = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    setOpened("by key");
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={opened !== null}
        onPointerEnter={() => void loadList()}
        onFocus={() => void loadList()}
        onClick={({ detail }) => setOpened(opened === null ? (detail === 0 ? "by key" : "by pointer") : null)}
        onKeyDown={openByArrow}
        className="inline-flex h-7 min-w-7 shrink-0 items-center justify-center gap-1 rounded-md px-1 text-text-muted hover:bg-surface-hover hover:text-text"
      >
        {trigger ?? <MoreHorizontal size={16} aria-hidden />}
      </button>
      {opened !== null && (
        <Suspense>
          <MenuList
            label={label}
            items={items}
            anchor={button}
            startAtFirst={opened === "by key"}
            onClose={() => setOpened(null)}
          />
        </Suspense>
      )}
    </>
  );
}

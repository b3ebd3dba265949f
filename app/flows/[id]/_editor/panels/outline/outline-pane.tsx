"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { useMedia } from "@/app/_ui/use-media";
import { keyOfRow, type OutlineItem } from "@/lib/core/layout/outline";
import { useEditorState, useSession } from "../../state/session-context";
import { countNodeProblems, nameRow } from "./describe-row";
import { OutlineRow } from "./outline-row";
import { actionsOf, treeId } from "./row-actions";
import { RowMenu } from "./row-menu";
import { useOutlineKeys } from "./use-outline-keys";
import { useOutlineTree } from "./use-outline-tree";

const rowHeight = 28;
const tallRowHeight = 44;

export default function OutlinePane() {
  const height = useMedia("(pointer: coarse)") ? tallRowHeight : rowHeight;
  return (
    <section aria-label="Outline" className="flex h-full min-h-0 flex-col bg-surface">
      <Tree key={height} height={height} />
    </section>
  );
}

interface OpenMenu {
  item: OutlineItem;
  at: DOMRect;
}

function Tree({ height }: { height: number }) {
  "use no memo"; // The virtualizer is mutable.
  const session = useSession();
  const tree = useOutlineTree();
  const { outline, rows, active, closed } = tree;
  const problems = useEditorState((state) => state.problems);
  const selection = useEditorState((state) => state.selection);
  const edge = useEditorState((state) => state.edge);
  const [renaming, setRenaming] = useState<string | null>(null);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 12,
    initialRect: { width: 300, height: 800 },
  });
  // The selection may have changed on the canvas or in the text.
  useEffect(() => virtual.scrollToIndex(active), [virtual, active]);

  const openMenu = (item: OutlineItem, at: DOMRect): void => setMenu({ item, at });
  const openRowMenu = (): void => {
    const item = outline.items[rows[active] ?? -1];
    const row = document.getElementById(toRowId(rows[active] ?? -1));
    if (item && row) openMenu(item, row.getBoundingClientRect());
  };
  const onKeyDown = useOutlineKeys(tree, { rename: setRenaming, openMenu: openRowMenu });
  const leaveMenu = (): void => {
    setMenu(null);
    scroller.current?.focus({ preventScroll: true });
  };
  const stopRenaming = (): void => {
    setRenaming(null);
    scroller.current?.focus({ preventScroll: true });
  };
  const onClick = (event: MouseEvent<HTMLElement>): void => {
    const found = findRow(event.target, rows, outline.items);
    if (!found) return;
    scroller.current?.focus({ preventScroll: true });
    if (found.part === "toggle" && found.item.end > found.index + 1) tree.toggle(found.item.id);
    else tree.go(found.at, event.shiftKey ? "extend" : event.ctrlKey || event.metaKey ? "toggle" : "only");
    if (found.part === "more") openMenu(found.item, found.rect);
  };
  const onContextMenu = (event: MouseEvent<HTMLElement>): void => {
    const found = findRow(event.target, rows, outline.items);
    if (!found) return;
    event.preventDefault();
    if (!selection.includes(keyOfRow(found.item) ?? "")) tree.go(found.at, "only");
    openMenu(found.item, new DOMRect(event.clientX, event.clientY, 0, 0));
  };
  const selected = new Set(selection);
  const shown = virtual.getVirtualItems();
  const isActiveShown = shown.some(({ index }) => index === active);
  return (
    <div
      ref={scroller}
      id={treeId}
      role="tree"
      aria-label="Outline of the flow"
      aria-multiselectable
      aria-activedescendant={isActiveShown ? toRowId(rows[active] ?? -1) : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onDoubleClick={(event) => {
        const found = findRow(event.target, rows, outline.items);
        if (found?.item.node && found.part === "row") setRenaming(found.item.id);
      }}
      onContextMenu={onContextMenu}
      className="group/tree min-h-0 flex-1 overflow-y-auto overflow-x-hidden py-1 -outline-offset-2"
    >
      <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index: at, start, size }) => {
          const index = rows[at] ?? -1;
          const item = outline.items[index];
          return (
            item && (
              <OutlineRow
                key={item.id}
                id={toRowId(index)}
                item={item}
                index={index}
                top={start}
                height={size}
                closed={closed.has(item.id)}
                selected={item.type === "link" ? item.id === edge : selected.has(keyOfRow(item) ?? "#")}
                active={at === active}
                {...countNodeProblems(problems, item.node?.key ?? "#")}
                renaming={renaming === item.id}
                onRenamed={stopRenaming}
              />
            )
          );
        })}
      </div>
      {menu && (
        <RowMenu
          at={menu.at}
          label={nameRow(menu.item)}
          groups={actionsOf(session, menu.item, () => setRenaming(menu.item.id))}
          onClose={leaveMenu}
        />
      )}
    </div>
  );
}

const toRowId = (index: number): string => `outline-row-${index}`;

function findRow(target: EventTarget, rows: readonly number[], items: readonly OutlineItem[]) {
  if (!(target instanceof Element) || target.closest("input")) return null;
  const row = target.closest("[data-row]");
  const index = Number(row?.getAttribute("data-row") ?? -1);
  const [item, at] = [items[index], rows.indexOf(index)];
  if (!row || !item || at < 0) return null;
  const part = target.closest("[data-toggle]") ? "toggle" : target.closest("[data-more]") ? "more" : "row";
  return { item, index, at, part, rect: row.getBoundingClientRect() };
}

import { useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { ActionMenu } from "@/app/_ui/controls/action-menu";
import { useMedia } from "@/app/_ui/use-media";
import { keyOfRow, type OutlineItem } from "@/lib/core/layout/outline";
import type { Session } from "../../state/session";
import { useEditorState, useSession } from "../../state/session-context";
import { countNodeProblems, nameRow, noProblems } from "./describe-row";
import { useOutlineKeys } from "./outline-keys";
import { OutlineRow } from "./outline-row";
import { actionsOf, treeId } from "./row-actions";
import { type OutlineTree, useOutlineTree } from "./use-outline-tree";

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

const virtualizerOptions = { overscan: 12, initialRect: { width: 300, height: 800 } };

interface OpenRowMenu {
  item: OutlineItem;
  anchor: DOMRect;
}

function Tree({ height }: { height: number }) {
  "use no memo"; // The virtualizer is mutable.
  const session = useSession();
  const tree = useOutlineTree();
  const { outline, rows, active } = tree;
  const [renaming, setRenaming] = useState<string | null>(null);
  const [menu, setMenu] = useState<OpenRowMenu | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    ...virtualizerOptions,
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
  });
  // The selection may have changed on the canvas or in the text.
  useEffect(() => virtualizer.scrollToIndex(active), [virtualizer, active]);
  const focusTree = (): void => scroller.current?.focus({ preventScroll: true });
  const activeRowId = toRowId(rows[active] ?? -1);
  const openMenu = (): void => {
    const item = outline.items[rows[active] ?? -1];
    const row = document.getElementById(activeRowId);
    if (item && row) setMenu({ item, anchor: row.getBoundingClientRect() });
  };
  const onKeyDown = useOutlineKeys(tree, { rename: setRenaming, openMenu });
  const stopRenaming = (): void => {
    setRenaming(null);
    focusTree();
  };
  const closeMenu = (): void => {
    setMenu(null);
    focusTree();
  };
  const virtualRows = virtualizer.getVirtualItems();
  return (
    <div
      ref={scroller}
      id={treeId}
      role="tree"
      aria-label="Outline of the flow"
      aria-multiselectable
      aria-activedescendant={virtualRows.some(({ index }) => index === active) ? activeRowId : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      {...pointerHandlers(tree, session, { focusTree, rename: setRenaming, openMenu: setMenu })}
      className="group/tree min-h-0 flex-1 overflow-y-auto overflow-x-hidden py-1 -outline-offset-2"
    >
      <div role="presentation" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        <Rows tree={tree} virtualRows={virtualRows} renaming={renaming} onRenamed={stopRenaming} />
      </div>
      {menu && (
        <ActionMenu
          anchor={menu.anchor}
          label={nameRow(menu.item)}
          groups={actionsOf(session, menu.item, () => setRenaming(menu.item.id))}
          onClose={closeMenu}
        />
      )}
    </div>
  );
}

interface RowsProps {
  tree: OutlineTree;
  virtualRows: readonly VirtualItem[];
  renaming: string | null;
  onRenamed(): void;
}

function Rows({ tree: { outline, rows, active, closed }, virtualRows, renaming, onRenamed }: RowsProps) {
  const problemCounts = countNodeProblems(useEditorState((state) => state.problems));
  const selection = new Set(useEditorState((state) => state.selection));
  const edge = useEditorState((state) => state.edge);
  return virtualRows.map(({ index: row, start, size }) => {
    const index = rows[row] ?? -1;
    const item = outline.items[index];
    if (!item) return null;
    return (
      <OutlineRow
        key={item.id}
        id={toRowId(index)}
        item={item}
        index={index}
        top={start}
        height={size}
        closed={closed.has(item.id)}
        selected={item.type === "link" ? item.id === edge : selection.has(keyOfRow(item) ?? "#")}
        active={row === active}
        {...(problemCounts.get(item.node?.key ?? "#") ?? noProblems)}
        renaming={renaming === item.id}
        onRenamed={onRenamed}
      />
    );
  });
}

interface PointerHandlerOptions {
  focusTree(): void;
  rename(id: string): void;
  openMenu(menu: OpenRowMenu): void;
}

function pointerHandlers(
  tree: OutlineTree,
  { editor }: Session,
  { focusTree, rename, openMenu }: PointerHandlerOptions,
) {
  const { outline, rows } = tree;
  return {
    onClick(event: MouseEvent<HTMLElement>): void {
      const target = findRow(event.target, rows, outline.items);
      if (!target) return;
      focusTree();
      const { item, row, control } = target;
      if (control === "toggle" && item.end > target.index + 1) tree.toggle(item.id);
      else tree.go(row, event.shiftKey ? "extend" : event.ctrlKey || event.metaKey ? "toggle" : "only");
      if (control === "menu") openMenu({ item, anchor: target.rect });
    },
    onDoubleClick(event: MouseEvent<HTMLElement>): void {
      const target = findRow(event.target, rows, outline.items);
      if (target?.item.node && target.control === null) rename(target.item.id);
    },
    onContextMenu(event: MouseEvent<HTMLElement>): void {
      const target = findRow(event.target, rows, outline.items);
      if (!target) return;
      event.preventDefault();
      const { selection } = editor.store.getState();
      if (!selection.includes(keyOfRow(target.item) ?? "")) tree.go(target.row, "only");
      openMenu({ item: target.item, anchor: new DOMRect(event.clientX, event.clientY, 0, 0) });
    },
  };
}

const toRowId = (index: number): string => `outline-row-${index}`;

/** The row of an event, and the control inside it that was hit. */
function findRow(target: EventTarget, rows: readonly number[], items: readonly OutlineItem[]) {
  if (!(target instanceof Element) || target.closest("input")) return null;
  const element = target.closest("[data-row]");
  const index = Number(element?.getAttribute("data-row") ?? -1);
  const [item, row] = [items[index], rows.indexOf(index)];
  if (!element || !item || row < 0) return null;
  const control = target.closest("[data-toggle]") ? "toggle" : target.closest("[data-more]") ? "menu" : null;
  return { item, index, row, control, rect: element.getBoundingClientRect() };
}

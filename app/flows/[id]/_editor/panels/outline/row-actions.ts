import { indexNodes } from "@/app/_canvas/scene/node-index";
import type { MoveWay } from "@/lib/core/flow/move-in-expression";
import type { OutlineItem } from "@/lib/core/layout/outline";
import { openInspector } from "../../commands/open-inspector";
import { findMembers } from "../../state/edits/node-edits";
import type { Session } from "../../state/session";
import { moveNode } from "./move-gesture";

export const treeId = "flow-outline";

/** One thing that can be done with a row. */
export interface RowAction {
  label: string;
  keys?: string;
  danger?: boolean;
  run(): void;
}

/** Moves the node of a row, and says why when it cannot be. */
export function moveRow({ editor, commands, notify }: Session, item: OutlineItem, way: MoveWay): void {
  const { flow, arrangement } = editor.store.getState();
  if (!item.node) return;
  const { key, name } = item.node;
  const gesture = moveNode(flow, indexNodes(arrangement), key, way);
  if (!gesture.ok) notify.info(gesture.message);
  else if (commands.edit(...gesture.edits)) {
    // In another group the same node has another key.
    const moved = editor.store.getState().arrangement.nodes.find((node) => node.name === name);
    if (moved) editor.select([moved.key]);
  }
}

/** What can be done with a row, in groups. */
export function actionsOf(session: Session, item: OutlineItem, rename: () => void): RowAction[][] {
  const { editor, commands } = session;
  const { node } = item;
  const { edge } = editor.store.getState();
  if (item.type === "link" && edge !== null)
    return [[{ label: "Delete link", keys: "Del", danger: true, run: () => commands.deleteSelection() }]];
  if (item.type === "note")
    return [
      [{ label: "Edit", keys: "Enter", run: () => openInspector(session, treeId) }],
      [{ label: "Delete", keys: "Del", danger: true, run: () => commands.deleteSelection() }],
    ];
  const wraps = wrapActions(session);
  const remove: RowAction = { label: "Delete", keys: "Del", danger: true, run: () => commands.deleteSelection() };
  if (!node) return item.type === "list" || item.type === "lane" ? [wraps, [remove]] : [];
  const move = (way: MoveWay) => () => moveRow(session, item, way);
  return [
    [
      { label: "Edit", keys: "Enter", run: () => openInspector(session, treeId) },
      ...(node.type === "unknown"
        ? [{ label: "Declare as agent", run: () => commands.declare(node.name) }]
        : [{ label: "Rename", keys: "F2", run: rename }]),
    ],
    [
      { label: "Add agent after", keys: "Ctrl ↓", run: () => commands.addAfter(node.key) },
      { label: "Add agent beside", keys: "Ctrl →", run: () => commands.addLane(node.key) },
    ],
    [
      { label: "Move up", keys: "Alt ↑", run: move("up") },
      { label: "Move down", keys: "Alt ↓", run: move("down") },
      { label: "Move out", keys: "Alt ←", run: move("out") },
      { label: "Move into what is before", keys: "Alt →", run: move("in") },
    ],
    wraps,
    [remove],
  ].filter((group) => group.length > 0);
}

function wrapActions({ editor, commands }: Session): RowAction[] {
  const { arrangement, selection } = editor.store.getState();
  const count = findMembers(indexNodes(arrangement), selection)?.names.length ?? 0;
  const many: RowAction[] = [
    { label: "Wrap as parallel", run: () => commands.wrap("wrap-parallel") },
    { label: "Wrap as serial", run: () => commands.wrap("wrap-serial") },
  ];
  const single: RowAction[] = [
    { label: "Make a named group", keys: "Ctrl G", run: () => commands.wrap("extract-group") },
    { label: "Nest as swarm", run: () => commands.wrap("extract-swarm") },
  ];
  return [...(count > 1 ? many : []), ...(count > 0 ? single : [])];
}

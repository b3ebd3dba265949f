import type { MenuAction } from "@/app/_ui/controls/action-menu";
import type { MoveWay } from "@/lib/core/flow/move-in-expression";
import type { OutlineItem } from "@/lib/core/layout/outline";
import { findNodeByName, indexNodes } from "@/lib/core/layout/scene/node-index";
import { keysOf } from "../../commands/editor-command";
import { openInspector } from "../../commands/open-inspector";
import { getCommand, isEnabled } from "../../commands/registry";
import type { Session } from "../../state/session";
import { toMoveEdits } from "./move-gesture";

export const treeId = "flow-outline";

export const rowChords = {
  edit: "Enter",
  rename: "F2",
  up: "Alt ↑",
  down: "Alt ↓",
  out: "Alt ←",
  in: "Alt →",
} as const;

export function moveRow({ editor, actions, notify }: Session, { node }: OutlineItem, way: MoveWay): void {
  const { flow, arrangement } = editor.store.getState();
  if (!node) return;
  const move = toMoveEdits(flow, indexNodes(arrangement), node.key, way);
  if (!move.ok) notify.info(move.message);
  else if (actions.edit(...move.edits)) {
    // In another group the same node has another key.
    const movedNode = findNodeByName(editor.store.getState().arrangement, node.name);
    if (movedNode) editor.select([movedNode.key]);
  }
}

export function actionsOf(session: Session, item: OutlineItem, rename: () => void): MenuAction[][] {
  const { editor, actions, access } = session;
  const { node } = item;
  const toAction = (id: string, label = getCommand(id).title): MenuAction => {
    const command = getCommand(id);
    return { label, keys: keysOf(command, "outline"), run: () => command.run(session, node?.key) };
  };
  const edit = {
    label: access.mayEdit ? "Edit" : "Show",
    keys: rowChords.edit,
    run: () => openInspector(session, treeId),
  };
  if (!access.mayEdit) return node || item.type === "note" ? [[edit]] : [];
  const remove = { ...toAction("delete", "Delete"), danger: true };
  if (item.type === "link" && editor.store.getState().edge !== null)
    return [[{ ...toAction("delete", "Delete link"), danger: true }]];
  if (item.type === "note") return [[edit], [remove]];
  const wraps = ["wrap-parallel", "wrap-serial", "extract-group", "extract-swarm"]
    .filter((id) => isEnabled(getCommand(id), session))
    .map((id) => toAction(id));
  if (!node) return item.type === "list" || item.type === "lane" ? [wraps, [remove]] : [];
  const toMove = (label: string, way: MoveWay): MenuAction => ({
    label,
    keys: rowChords[way],
    run: () => moveRow(session, item, way),
  });
  return [
    [
      edit,
      node.type === "unknown"
        ? { label: "Declare as agent", run: () => actions.declare(node.name) }
        : { label: "Rename", keys: rowChords.rename, run: rename },
    ],
    [toAction("add-agent", "Add agent after"), toAction("add-lane", "Add agent beside")],
    [
      toMove("Move up", "up"),
      toMove("Move down", "down"),
      toMove("Move out", "out"),
      toMove("Move into the preceding group", "in"),
    ],
    wraps,
    [remove],
  ].filter((group) => group.length > 0);
}

import type { MenuAction } from "@/app/_ui/controls/action-menu";
import { formatCount } from "@/lib/core/flow/format-count";
import { keyNames } from "@/lib/core/flow/node-key";
import { findNote, isNoteKey, nameNote } from "@/lib/core/flow/note";
import { indexNodes } from "@/lib/core/layout/scene/node-index";
import { keysOf } from "../../commands/editor-command";
import { openInspector } from "../../commands/open-inspector";
import { getCommand, isEnabled } from "../../commands/registry";
import type { Session } from "../../state/session";

type ContextKind = "card" | "frame" | "several" | "link" | "note" | "canvas";

/** The commands of each menu, in groups. */
const commandIds: Readonly<Record<ContextKind, readonly (readonly string[])[]>> = {
  card: [
    ["edit", "connect"],
    ["add-agent", "add-lane", "insert"],
    ["cut", "copy", "paste", "duplicate"],
    ["extract-group", "extract-swarm", "unwrap", "wrap-loop"],
    ["delete"],
  ],
  frame: [
    ["edit", "connect"],
    ["fold", "unfold", "fit-selection"],
    ["add-agent", "add-lane", "insert"],
    ["cut", "copy", "paste", "duplicate"],
    ["extract-swarm", "unwrap", "inline", "wrap-loop"],
    ["delete"],
  ],
  several: [
    ["wrap-parallel", "wrap-serial", "extract-group", "extract-swarm", "unwrap"],
    ["wrap-loop", "wrap-branch", "wrap-router"],
    ["cut", "copy", "paste", "duplicate"],
    ["fit-selection"],
    ["delete"],
  ],
  link: [["insert"], ["delete"]],
  note: [["edit"], ["cut", "copy", "paste", "duplicate"], ["delete"]],
  canvas: [
    ["add-agent", "add-note", "insert", "insert-template"],
    ["paste", "select-all"],
    ["fit", "actual-size", "fold-all", "unfold-all"],
    ["search", "keys"],
  ],
};

function kindOfSelection({ editor }: Session): ContextKind {
  const { arrangement, edge, selection } = editor.store.getState();
  const [key] = selection;
  if (edge !== null) return "link";
  if (key === undefined) return "canvas";
  if (selection.length > 1) return "several";
  if (isNoteKey(key)) return "note";
  const node = indexNodes(arrangement).get(key);
  return node?.frame || node?.folded ? "frame" : "card";
}

export function describeContext({ editor }: Session): string {
  const { arrangement, edge, layout, selection } = editor.store.getState();
  const link = arrangement.edges.find(({ key }) => key === edge);
  const [key] = selection;
  if (link) return `Link from ${link.fromName} to ${link.toName}`;
  if (key === undefined) return "Canvas";
  if (selection.length > 1) return `${formatCount(selection.length)} selected`;
  const note = findNote(layout.notes, key);
  return note ? nameNote(note) : (keyNames(key).at(-1) ?? "");
}

/** Commands that have no effect now are left out. */
export function listContextActions(session: Session): MenuAction[][] {
  const kind = kindOfSelection(session);
  return commandIds[kind]
    .map((ids) =>
      ids.flatMap((id) => {
        if (id === "edit") return kind === "note" && !session.access.mayEdit ? [] : [editAction(session, kind)];
        const command = getCommand(id);
        if (!isEnabled(command, session)) return [];
        const keys = otherKeys.get(id) ?? keysOf(command, "canvas") ?? keysOf(command, "clipboard") ?? keysOf(command);
        const label = toLabel(id, kind) ?? command.title;
        return [{ label, keys, ...(id === "delete" && { danger: true }), run: () => command.run(session) }];
      }),
    )
    .filter((group) => group.length > 0);
}

/** Of keys that do several things. */
const otherKeys: ReadonlyMap<string, string> = new Map([
  ["fold", "Space"],
  ["unfold", "Space"],
]);

function editAction(session: Session, kind: ContextKind): MenuAction {
  if (kind !== "note")
    return {
      label: session.access.mayEdit ? "Edit" : "Show",
      keys: "Enter",
      run: () => openInspector(session, "flow-canvas"),
    };
  const writing = session.editor.store.getState().selection.find(isNoteKey) ?? null;
  return { label: "Edit text", keys: "Enter", run: () => session.view.setState({ writing }) };
}

function toLabel(id: string, kind: ContextKind): string | undefined {
  if (id === "delete") return kind === "link" ? "Delete link" : "Delete";
  if (id === "insert") return kind === "link" ? "Insert here…" : kind === "canvas" ? "Insert…" : "Insert after…";
  if (id === "add-agent" && kind !== "canvas") return "Add agent after";
  return undefined;
}

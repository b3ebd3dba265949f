import type { Edit } from "../flow/edit";
import { formatCount } from "../flow/format-count";
import { keyNames } from "../flow/node-key";

/** The description of a history entry. */
export interface EntryDescription {
  /** Its name in undo and redo: `rename`. */
  name: string;
  /** What it did, as a sentence without its full stop: `Renamed a to b`. */
  done: string;
}

const list = (names: readonly string[]): string =>
  names.length > 3 ? `${formatCount(names.length)} nodes` : names.join(names.length === 2 ? " and " : ", ");

const countNotes = (count: number): string => (count === 0 ? "" : count === 1 ? "a note" : `${count} notes`);

/** Describes the edits of one history entry by the most significant one. */
export function describeEdits(edits: readonly Edit[]): EntryDescription {
  const added = edits.find((edit) => edit.type === "add-agent" || edit.type === "add-control");
  if (added) return describeAdded(added, edits);
  const deleted = edits.flatMap((edit) => (edit.type === "delete-nodes" ? edit.names : []));
  const notes = edits.filter((edit) => edit.type === "remove-note").length;
  if (deleted.length + notes > 0)
    return {
      name: "delete",
      done: `Deleted ${[list(deleted), countNotes(notes)].filter((text) => text !== "").join(" and ")}`,
    };
  const firstEdit = edits.find(({ type }) => type === "wrap-control") ?? edits[0];
  return firstEdit ? describe(firstEdit) : { name: "change", done: "Changed the flow" };
}

type Added = Extract<Edit, { type: "add-agent" | "add-control" }>;

function describeAdded(added: Added, edits: readonly Edit[]): EntryDescription {
  const name = added.type === "add-agent" ? "add agent" : `add ${added.control}`;
  const link = edits.find((edit) => edit.type === "connect" && (edit.from === added.name || edit.to === added.name));
  if (added.after !== undefined) return { name, done: `Added ${added.name} after ${added.after}` };
  const moved = edits.find((edit) => edit.type === "move-member" && edit.name === added.name);
  if (moved?.type === "move-member" && moved.at)
    return { name, done: `Added ${added.name} ${moved.at.side} ${moved.at.member}` };
  if (added.atEnd) return { name, done: `Added ${added.name} at the end` };
  if (link?.type !== "connect") return { name, done: `Added ${added.name}` };
  const where = link.to === added.name ? `after ${link.from}` : `before ${link.to}`;
  return { name, done: `Added ${added.name} ${where}` };
}

function describe(edit: Edit): EntryDescription {
  switch (edit.type) {
    case "connect":
      return { name: "connect", done: `Connected ${edit.from} to ${edit.to}` };
    case "disconnect":
      return { name: "delete link", done: `Deleted the link from ${edit.from} to ${edit.to}` };
    case "wrap-parallel":
      return { name: "wrap as parallel", done: `Put ${list(edit.names)} in parallel` };
    case "wrap-serial":
      return { name: "wrap as serial", done: `Put ${list(edit.names)} in series` };
    case "extract-group":
      return { name: "make a group", done: `Put ${list(edit.names)} into the group ${edit.name}` };
    case "extract-swarm":
      return { name: "nest as swarm", done: `Put ${list(edit.names)} into the swarm ${edit.name}` };
    case "wrap-control":
      return { name: `add ${edit.control}`, done: `Put ${list(edit.names)} into the ${edit.control} ${edit.name}` };
    case "rename":
      return { name: "rename", done: `Renamed ${edit.from} to ${edit.to}` };
    case "set-agent-field":
    case "set-control-field": {
      const field = edit.type === "set-agent-field" ? edit.field : edit.path.join(" ");
      const words = field.replaceAll("_", " ");
      return { name: `change of ${words}`, done: `Changed ${words} of ${edit.name}` };
    }
    case "move-member":
      return { name: "move", done: `Moved ${edit.name}${describePlace(edit)}` };
    case "set-flow-text":
      return { name: "change of order", done: "Changed the order of the flow" };
    case "set-folded": {
      const names = list(edit.keys.map((key) => keyNames(key).at(-1) ?? ""));
      return edit.folded ? { name: "fold", done: `Folded ${names}` } : { name: "unfold", done: `Unfolded ${names}` };
    }
    case "set-direction":
      return {
        name: "change of direction",
        done: edit.direction === "down" ? "Arranged from top to bottom" : "Arranged from left to right",
      };
    case "set-pin":
      return { name: "move", done: "Moved on the canvas" };
    case "add-note":
      return { name: "add note", done: "Added a note" };
    case "change-note":
      return describeChange(edit.change);
    case "set-flow-name":
      return { name: "rename", done: `Renamed the flow to ${edit.name}` };
    default:
      return { name: edit.type.replaceAll("-", " ").replace(/^set /, "change of "), done: "Changed the flow" };
  }
}

function describePlace({ from: source, scope, at: position }: Extract<Edit, { type: "move-member" }>): string {
  const isOtherScope = source === undefined || JSON.stringify(source) !== JSON.stringify(scope);
  const container = scope.type === "root" ? (source?.type === "root" ? "" : "the flow") : scope.name;
  const into = isOtherScope && container !== "" ? ` into ${container}` : "";
  return position ? `${into}${into === "" ? " " : ", "}${position.side} ${position.member}` : into;
}

function describeChange({
  x,
  y,
  width,
  height,
  color,
}: Extract<Edit, { type: "change-note" }>["change"]): EntryDescription {
  if (width !== undefined || height !== undefined) return { name: "resize note", done: "Resized a note" };
  if (x !== undefined || y !== undefined) return { name: "move", done: "Moved on the canvas" };
  return color === undefined
    ? { name: "change of note", done: "Changed a note" }
    : { name: "colour of note", done: `Made a note ${color}` };
}

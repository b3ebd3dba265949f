import type { Edit, Scope } from "../../flow/edit";
import { findDeclaration } from "../../flow/flow";
import type { TextChange, TextRange } from "../../flow/text-range";
import type { SourceDocument, UnreadableRange } from "../read/source-document";
import { ownerOf } from "../read/topology";
import { EditRefused } from "./edit-transaction";

/** Edits of a swarm, group or control that leave its members alone, or write them anew. */
const besideMembers: readonly Edit["type"][] = ["set-flow-text", "set-swarm-field", "set-separator"];

/** Refuses an edit of what cannot be read: what cannot be read cannot be changed without losing some of it. */
export function assertReadable(document: SourceDocument, edit: Edit): void {
  if (document.unreadableRanges.length === 0) return;
  const { flow, declarations } = document;
  if ("scope" in edit) assertScopeReadable(document, edit.scope, edit.type);
  const changed = changedNames(edit);
  for (const name of edit.type === "rename-var" ? [] : changed)
    if (findDeclaration(flow, name) && !declarations.has(name))
      throw toUnreadableError(document, findUnreadable(document, name), name);
  if (edit.type !== "rename" && edit.type !== "delete-nodes" && edit.type !== "rename-var") return;
  for (const unreadable of document.unreadableRanges)
    for (const name of changed)
      if (document.text.slice(unreadable.range.from, unreadable.range.to).includes(name))
        throw toUnreadableError(document, unreadable, name);
}

function assertScopeReadable(document: SourceDocument, scope: Scope, type: Edit["type"]): void {
  const owner = ownerOf(scope);
  const unreadable = findUnreadable(document, owner);
  const isRootGone = owner === null && !document.topologies.has(null) && document.structure.unreadableChunks.length > 0;
  if (isRootGone || (unreadable && (unreadable.type === "form" || !besideMembers.includes(type))))
    throw toUnreadableError(document, unreadable ?? document.unreadableRanges[0], owner);
}

/** The declarations, or the variable, that an edit changes wherever they are named. */
function changedNames(edit: Edit): readonly string[] {
  if (edit.type === "rename" || edit.type === "rename-var") return [edit.from];
  if (edit.type === "delete-nodes") return edit.declarations ? edit.names : [];
  return edit.type === "set-agent-field" || edit.type === "set-control-field" ? [edit.name] : [];
}

const findUnreadable = ({ unreadableRanges }: SourceDocument, name: string | null): UnreadableRange | undefined =>
  unreadableRanges.find(({ owner }) => owner === name);

function toUnreadableError(
  { text }: SourceDocument,
  unreadableRange: UnreadableRange | undefined,
  name: string | null,
): EditRefused {
  const line = unreadableRange ? ` in line ${text.slice(0, unreadableRange.range.from).split("\n").length}` : "";
  const subject = name === null ? "the flow" : `"${name}"`;
  return new EditRefused(
    "yaml-syntax",
    `${subject[0]?.toUpperCase()}${subject.slice(1)} cannot be changed here: its text${line} has a mistake of form. Mend the text first; see the problems.`,
  );
}

/** Refuses changes that would reach into what cannot be read, or that leave more unread than before. */
export function assertNothingLost(before: SourceDocument, changes: readonly TextChange[], after: SourceDocument): void {
  const forms = before.unreadableRanges.filter(({ type }) => type === "form");
  const hit = forms.find(({ range }) => changes.some((change) => reaches(change, range)));
  if (hit) throw toUnreadableError(before, hit, hit.owner ?? null);
  const owners = new Set(forms.map(({ owner }) => owner));
  const grown = after.unreadableRanges.some(({ type, owner }) => type === "form" && !owners.has(owner));
  const isNewSection = before.structure.unreadableChunks.length > 0 && after.sections.size > before.sections.size;
  if (grown || isNewSection) throw toUnreadableError(before, forms[0], null);
}

const reaches = (change: TextRange, range: TextRange): boolean =>
  change.from === change.to
    ? range.from < change.from && change.to < range.to
    : change.from < range.to && range.from < change.to;

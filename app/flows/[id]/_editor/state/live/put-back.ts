import { errorsOf, type Problem } from "@/lib/core/flow/problem";
import { applyChanges } from "@/lib/core/flow/text-change";
import { membersOf } from "@/lib/core/kinds/registry";
import type { FlowContent } from "@/lib/core/live/live-document";
import { copyFragment } from "@/lib/core/source/fragment/copy-fragment";
import type { SourceDocument } from "@/lib/core/source/read/source-document";
import { getEditing, toDocument } from "../editing/editing";
import type { Session } from "../session";
import type { LostWriting } from "./live";
import { mergeInto } from "./merge-into";

/**
 * Puts a declaration that someone deleted back as its author saw it: where it was in the flow, or outside of the flow where
 * that place is gone. One undo step. Returns why it is impossible, else null.
 */
export function putBack({ editor }: Pick<Session, "editor">, writing: LostWriting): string | null {
  const { owner } = writing;
  const before = readBefore(writing);
  const state = editor.store.getState();
  const now = toDocument(state.document);
  if (!before || now.broken) return "The text of the flow has a mistake of form. Mend the text first.";
  if (now.declarations.has(owner)) return `"${owner}" is in the flow again.`;
  const seen = getEditing().readSource(before.source);
  const restored = mergeWithDeleted(seen, before, { owner, now: { source: state.text, layout: state.layout } });
  const merged = restored && withoutInlined(seen, restored, owner);
  const words = { name: `putting ${owner} back`, done: `Put ${owner} back` };
  if (merged && isKept(now, merged, owner)) {
    editor.replace(merged.source, merged.layout, words);
    return null;
  }
  const text = copyFragment(seen, [{ scope: { type: "root" }, names: [owner] }]);
  return (
    editor.dispatch([{ type: "insert-fragment", text, scope: { type: "root" }, place: { type: "waiting" } }])
      ?.message ?? null
  );
}

/** With what the user wrote on after it was deleted. */
function readBefore(writing: LostWriting): FlowContent | null {
  const { before, field, text } = writing;
  const { readSource, applyEdit, withValue } = getEditing();
  const seen = before && readSource(before.source);
  if (!seen || !field || isTextThere(seen, writing)) return before;
  const edited = applyEdit(seen, before.layout, withValue(field, text));
  return edited.ok ? { source: applyChanges(before.source, edited.changes), layout: edited.layout } : before;
}

/** Whether the field of a text has it, alone or as lines among others. */
export function isTextThere(document: SourceDocument, { field, ...writing }: LostWriting): boolean {
  if (!field) return true;
  const text = writing.text.trim();
  const now = getEditing().readField(document, field).trim();
  return getEditing().hasSeveralLines(document, field) ? `\n${now}\n`.includes(`\n${text}\n`) : now === text;
}

/**
 * Puts a text back in its field, which is in the flow. Lines that someone else wrote there since stay before it. Returns why it is
 * impossible, else null.
 */
export function putTextBack({ editor }: Pick<Session, "editor">, { field, text }: LostWriting): string | null {
  if (!field) return null;
  const { readField, hasSeveralLines, joinTexts, withValue } = getEditing();
  const document = toDocument(editor.store.getState().document);
  const now = readField(document, field);
  const isKept = hasSeveralLines(document, field) && !text.includes(now.trim());
  const next = isKept ? joinTexts(document, field, [now, text]) : text;
  return editor.dispatch([withValue(field, next)])?.message ?? null;
}

/** The flow as it is now, with everything that deleting `owner` takes away. */
function mergeWithDeleted(
  seen: SourceDocument,
  before: FlowContent,
  { owner, now }: { owner: string; now: FlowContent },
): FlowContent | null {
  const deleted = getEditing().applyEdit(seen, before.layout, {
    type: "delete-nodes",
    scope: { type: "root" },
    names: [owner],
    declarations: true,
  });
  if (!deleted.ok) return null;
  const base = { source: applyChanges(before.source, deleted.changes), layout: deleted.layout };
  return mergeInto(base, before, now);
}

/** Without the members of what comes back where someone put them into the flow in its place: they would run twice. */
function withoutInlined({ flow }: SourceDocument, content: FlowContent, owner: string): FlowContent {
  const container = flow.groups.get(owner) ?? flow.swarms.get(owner);
  if (!container) return content;
  const document = getEditing().readSource(content.source);
  const own = new Set(membersOf(container));
  const seen = new Set(membersOf(flow.swarm));
  const names = membersOf(document.flow.swarm).filter((name) => own.has(name) && !seen.has(name));
  const edit = { type: "delete-nodes", scope: { type: "root" }, names, declarations: false } as const;
  const edited = names.length > 0 ? getEditing().applyEdit(document, content.layout, edit) : null;
  return edited?.ok ? { source: applyChanges(content.source, edited.changes), layout: edited.layout } : content;
}

/** Whether nothing that is there now became wrong. */
function isKept(now: SourceDocument, { source }: FlowContent, owner: string): boolean {
  const after = getEditing().readSource(source);
  const own = after.rangeOf(owner);
  // What was half written when it was deleted comes back as it was.
  const isOwn = ({ range }: Problem): boolean =>
    own !== null && range !== undefined && own.from <= range.from && range.to <= own.to;
  const others = errorsOf(after.problems).filter((problem) => !isOwn(problem));
  return (
    !after.broken &&
    after.unreadableRanges.length <= now.unreadableRanges.length &&
    others.length <= errorsOf(getEditing().readSource(now.text).problems).length &&
    [owner, ...now.declarations.keys()].every((name) => after.declarations.has(name))
  );
}

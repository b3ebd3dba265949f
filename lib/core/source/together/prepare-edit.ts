import { isScalar } from "yaml";
import type { Edit, Layout } from "../../flow/edit";
import { applyChanges, toMinimalChange } from "../../flow/text-change";
import type { TextChange } from "../../flow/text-range";
import { applyEdit } from "../apply-edit";
import { detachAliases } from "../edit/detach-aliases";
import type { SourceDocument } from "../read/source-document";
import { readSource } from "../read-source";
import { colonEndOf } from "../yaml/pair-position";
import { rangeOfNode, type YamlEntry } from "../yaml/yaml-nodes";
import { hasLineBreak, needsDigit, readSharedText, toSharedStyle } from "./shared-style";
import { findEditedField, findSite, withValue } from "./text-site";
import { writeTextEdit } from "./write-text-edit";

/** A text that each style writes as itself. */
const placeholder = "x";

/**
 * The changes that make room for an edit of one field: the field itself, where it is missing, and for a text a style that
 * holds any letter. They depend on nothing that the user typed, so that users who do the same make the same changes.
 */
export function prepareEdit(document: SourceDocument, layout: Layout, edit: Edit): TextChange[] {
  const field = findEditedField(document, edit);
  if (!field || document.broken) return [];
  if (!field.entry) return field.value === undefined ? [] : addField(document, layout, edit);
  if (field.type === "value") return [];
  const site = findSite(document, field);
  if (!site) return removeAnchor(document, field.entry);
  const shared = readSharedText(document, site);
  if (!shared) return toSharedStyle(document, site);
  const value = String(field.value ?? "");
  if (shared.type === "quoted")
    return shared.node.type === "QUOTE_SINGLE" && hasLineBreak(value) ? toSharedStyle(document, site, true) : [];
  if (shared.literal.hasDigit || !needsDigit(value)) return [];
  const { start, margin } = shared.literal;
  return [{ from: start + 1, to: start + 1, insert: String(margin - site.column) }];
}

/** The text is a text of its own then, and so is what repeated it through an alias. */
function removeAnchor(document: SourceDocument, { pair }: YamlEntry): TextChange[] {
  const { text } = document;
  const { value } = pair;
  const colon = colonEndOf(pair, text);
  const range = isScalar(value) && value.anchor && !value.tag ? rangeOfNode(value, text) : null;
  if (!range || colon === null) return [];
  const [anchor = ""] = /&\S+[ \t]*/.exec(text.slice(colon, range.from)) ?? [];
  const from = text.indexOf(anchor, colon);
  const detached = detachAliases(document, [{ ...range, insert: "" }]) ?? [];
  return [{ from, to: from + anchor.length, insert: "" }, ...detached];
}

/** Writes the field without its value. */
function addField(document: SourceDocument, layout: Layout, edit: Edit): TextChange[] {
  const isText = findEditedField(document, edit)?.type !== "value";
  const added = applyEdit(document, layout, isText ? withValue(edit, placeholder) : edit);
  if (!added.ok) return [];
  const after = readSource(applyChanges(document.text, added.changes), undefined, document);
  const field = findEditedField(after, edit);
  const text = field && (isText ? clearText(after, edit) : clearValue(after, edit));
  const change = text ? toMinimalChange(document.text, text) : null;
  return change ? [change] : [];
}

function clearText(document: SourceDocument, edit: Edit): string | null {
  const field = findEditedField(document, edit);
  const site = field && findSite(document, field);
  if (!site) return null;
  const styled = readSource(applyChanges(document.text, toSharedStyle(document, site)), undefined, document);
  const change = writeTextEdit(styled, withValue(edit, ""));
  return change && applyChanges(styled.text, change);
}

function clearValue(document: SourceDocument, edit: Edit): string | null {
  const entry = findEditedField(document, edit)?.entry;
  const value = entry?.pair.value;
  const colon = entry ? colonEndOf(entry.pair, document.text) : null;
  if (colon === null || typeof value !== "object" || value === null || !("range" in value)) return null;
  const { range } = value;
  if (!Array.isArray(range) || typeof range[1] !== "number") return null;
  return document.text.slice(0, colon) + document.text.slice(range[1]);
}

import { isAlias, isMap, isScalar, type Scalar } from "yaml";
import type { AgentField, Edit } from "../../flow/edit";
import type { Json } from "../../flow/flow";
import { lineStartAt } from "../../flow/text-range";
import {
  agentFieldAliases,
  agentFieldTypes,
  limitTypes,
  type SharedWriting,
  settingTypes,
  toSharedWriting,
} from "../../kinds/field-types";
import { kindOf } from "../../kinds/registry";
import type { SourceDocument } from "../read/source-document";
import { readEntries, type YamlEntry } from "../yaml/yaml-nodes";

/** The field of a flow file that an edit sets. */
export interface EditedField {
  type: SharedWriting;
  /** Undefined: the edit removes the field. */
  value: Json | undefined;
  entry: YamlEntry | null;
}

/** Where a field is written that has an entry. */
export interface FieldSite {
  type: SharedWriting;
  entry: YamlEntry;
  /** Null: nothing is written after the colon. */
  node: Scalar | null;
  /** Inside `{…}` or `[…]`. */
  inFlow: boolean;
  /** Columns before its key. */
  column: number;
}

/** The field that an edit sets; null: the edit changes more than one field, or nothing of the text. */
export function findEditedField(document: SourceDocument, edit: Edit): EditedField | null {
  switch (edit.type) {
    case "set-agent-field": {
      const { name, field, value } = edit;
      const entries = document.declarations.get(name)?.entries;
      const entry = [field, ...aliasesOf(field)].flatMap((key) => entries?.get(key) ?? [])[0];
      return { type: toSharedWriting(agentFieldTypes[field]), value, entry: entry ?? null };
    }
    case "set-control-field": {
      const { name, path, value } = edit;
      return { type: typeOfPath(document, name, path), value, entry: findEntry(document, name, path) };
    }
    case "set-flow-description":
      return {
        type: toSharedWriting(settingTypes.description),
        value: edit.text || undefined,
        entry: document.sections.get("description") ?? null,
      };
    case "set-flow-name":
      return {
        type: toSharedWriting(settingTypes.name),
        value: edit.name,
        entry: document.sections.get("name") ?? null,
      };
    case "set-limit":
      return {
        type: toSharedWriting(limitTypes[edit.field]),
        value: edit.value,
        entry: findInSection(document, "limits", edit.field),
      };
    case "set-var": {
      const { name, value } = edit;
      return {
        type: typeof value === "string" ? "line" : "value",
        value,
        entry: findInSection(document, "vars", name),
      };
    }
    default:
      return null;
  }
}

/** The same edit with another value. */
export function withValue(edit: Edit, value: string): Edit {
  if (edit.type === "set-flow-description") return { ...edit, text: value };
  return edit.type === "set-agent-field" || edit.type === "set-control-field" || edit.type === "set-var"
    ? { ...edit, value }
    : edit;
}

const aliasesOf = (field: AgentField): string[] =>
  Object.entries(agentFieldAliases).flatMap(([alias, name]) => (name === field ? [alias] : []));

/** Of a field of a control, or of one that a lane of it has. */
function typeOfPath(document: SourceDocument, name: string, path: readonly string[]): SharedWriting {
  const type = document.declarations.get(name)?.type;
  const kind = type === undefined ? undefined : kindOf({ type });
  const [field = ""] = path;
  const fieldType = path.length > 1 ? kind?.nestedFieldTypes[field]?.[path.at(-1) ?? ""] : kind?.fieldTypes[field];
  return toSharedWriting(fieldType ?? "choice");
}

function findEntry(
  document: SourceDocument,
  name: string,
  [field = "", ...deeper]: readonly string[],
): YamlEntry | null {
  let entry = document.declarations.get(name)?.entries.get(field);
  for (const key of deeper) entry = readEntries(entry?.value, document.yaml)?.get(key);
  return entry ?? null;
}

const findInSection = (document: SourceDocument, section: string, key: string): YamlEntry | null =>
  readEntries(document.sections.get(section)?.value, document.yaml)?.get(key) ?? null;

/** Null: the value is no text of its own, because it is a list, a mapping or an alias, or has an anchor or a tag. */
export function findSite(document: SourceDocument, { type, entry }: EditedField): FieldSite | null {
  const written = entry?.pair.value;
  const [keyStart] = entry?.keyNode.range ?? [];
  if (!entry || keyStart === undefined || isAlias(written) || isMap(written)) return null;
  if (written && (!isScalar(written) || written.anchor || written.tag)) return null;
  const isWritten = isScalar(written) && written.range && written.range[1] > written.range[0];
  const node = isWritten ? written : null;
  const column = keyStart - lineStartAt(document.text, keyStart);
  return { type, entry, node, inFlow: document.structure.isInFlow(keyStart), column };
}

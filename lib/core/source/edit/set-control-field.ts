import type { YAMLMap } from "yaml";
import type { EditOf, Scope } from "../../flow/edit";
import type { Control, Json } from "../../flow/flow";
import { nearest } from "../../flow/suggest-name";
import { kindOf, lanesOf, listConditionFields } from "../../kinds/registry";
import { isBlank, readEntries, readText, type YamlEntry } from "../yaml/yaml-nodes";
import { EditRefused, type EditTransaction } from "./edit-transaction";
import { asMap } from "./entry-editor";
import { assertNotAliased, assertValidName } from "./preconditions";

/** Sets one field of a control, or of a lane in it; undefined takes it out. */
export function setControlField(
  transaction: EditTransaction,
  { name, path, value }: EditOf<"set-control-field">,
): string[] {
  const { declarations, flow } = transaction.document;
  const declaration = declarations.get(name);
  const control = flow.controls.get(name);
  if (!declaration?.entry || !control || !kindOf(declaration).isControl)
    throw new EditRefused("unknown-name", `There is no branch, router, loop or approval "${name}" any more.`);
  assertFieldPath(control, path);
  assertNotAliased(declaration.entry);
  const holder = { owner: declaration.entry, map: asMap(declaration.value) };
  const [lanes = "", lane = "", field] = path;
  const short = field === undefined ? null : findShortLane(transaction, declaration.entries.get(lanes), lane);
  if (short === null || field === undefined) setField(transaction, holder, path, value);
  else if (field === "flow") setField(transaction, holder, [lanes, lane], value ?? {});
  else if (value !== undefined) setField(transaction, holder, [lanes, lane], { flow: short, [field]: value });
  return [name];
}

/** The text of a lane that is written as its text alone: it becomes a mapping when it gets a second field. */
function findShortLane({ document }: EditTransaction, lanes: YamlEntry | undefined, lane: string): string | null {
  return readText(readEntries(lanes?.value, document.yaml)?.get(lane)?.value ?? null);
}

/** A field of the control, or `lanes`, the name of a lane and a field of that. */
function assertFieldPath(control: Control, [field = "", lane, laneField]: readonly string[]): void {
  const kind = kindOf(control);
  const title = kind.title(control.name);
  assertField(field, kind.fields, title);
  if (lane === undefined) return;
  const nestedFields = kind.nestedFields[field];
  if (!nestedFields)
    throw new EditRefused("invalid-value", `\`${field}\` of ${title} holds no fields of its own; found ${lane}.`);
  if (lanesOf(control).every(([name]) => name !== lane)) assertValidName(lane, "The name of a lane");
  if (laneField !== undefined) assertField(laneField, nestedFields, `The lane "${lane}" of ${title}`);
}

export function assertField(field: string, knownFields: readonly string[], title: string): void {
  if (knownFields.includes(field)) return;
  const near = nearest(field, knownFields);
  const hint = near === null ? `There are: ${knownFields.join(", ")}.` : `Did you mean \`${near}\`?`;
  throw new EditRefused("unknown-key", `${title} has no field \`${field}\`. ${hint}`);
}

/** A mapping and the entry whose value it is. */
interface MappingOwner {
  owner: YamlEntry;
  map: YAMLMap | null;
}

function setField(
  transaction: EditTransaction,
  { owner, map }: MappingOwner,
  path: readonly string[],
  value: Json | undefined,
): void {
  const { document, editor } = transaction;
  const [key = "", ...deeper] = path;
  const entry = map ? readEntries(map, document.yaml)?.get(key) : undefined;
  if (entry && deeper.length > 0 && (asMap(entry.value) || isBlank(entry.value))) {
    assertNotAliased(entry);
    setField(transaction, { owner: entry, map: asMap(entry.value) }, deeper, value);
    return;
  }
  if (value === undefined) {
    if (map && entry && deeper.length === 0) transaction.apply([editor.remove(map, entry)]);
    return;
  }
  const nestedValue = deeper.reduceRight<Json>((fieldValue, field) => ({ [field]: fieldValue }), value);
  if (map)
    transaction.apply(
      editor.change(map, { key, entry, value: nestedValue }, { block: true, quotedKeys: listConditionFields() }),
    );
  else {
    const inFlow = document.structure.isInFlow(owner.keyNode.range?.[0] ?? 0);
    transaction.apply([editor.set(owner, { [key]: nestedValue }, inFlow)]);
  }
}

/** Writes the text of one lane of a control; undefined empties it. */
export function writeLane(
  transaction: EditTransaction,
  { name, lane }: Extract<Scope, { type: "lane" }>,
  text: string | undefined,
): void {
  const control = transaction.document.flow.controls.get(name);
  const path = control ? kindOf(control).lanePath(lane) : [lane];
  setControlField(transaction, { type: "set-control-field", name, path, value: text });
}

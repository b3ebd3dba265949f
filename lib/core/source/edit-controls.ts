import type { Node, YAMLMap } from "yaml";
import type { Edit, Scope } from "../flow/edit";
import { controlTypes, type Json } from "../flow/flow";
import { type Changing, EditRefused } from "./changing";
import { declare } from "./declarations";
import { joinScope, requireFreeName } from "./edit-topology";
import { asMap, EntryEditor } from "./entries";
import { type ControlSection, controlSections, isControlSection } from "./read-controls";
import { renderValue } from "./render";
import { type Entry, isBlank, readEntries } from "./yaml-view";

const sectionOf = (type: (typeof controlTypes)[number]): ControlSection => {
  const found = Object.keys(controlSections)
    .filter(isControlSection)
    .find((section) => controlSections[section] === type);
  return found ?? "branches";
};

/** Declares a branch, router, loop or approval; it joins the flow as a new agent does. */
export function addControl(changing: Changing, edit: Extract<Edit, { type: "add-control" }>): string[] {
  const { name, control, fields, scope, after } = edit;
  requireFreeName(changing, name);
  changing.apply([declare(changing.document, sectionOf(control), name, Object.entries(fields))]);
  joinScope(changing, scope, name, after);
  return [name];
}

/** Sets one field of a control, or of a lane in it; undefined takes it out. */
export function setControlField(changing: Changing, edit: Extract<Edit, { type: "set-control-field" }>): string[] {
  const { name, path, value } = edit;
  const { document } = changing;
  const site = document.declarations.get(name);
  if (!site || !controlTypes.some((type) => type === site.kind))
    throw new EditRefused("unknown-name", `There is no branch, router, loop or approval "${name}" any more.`);
  if (!site.entry) return [name];
  setAt(changing, { owner: site.entry, map: asMap(site.value) }, path, value);
  return [name];
}

/** A mapping and the entry whose value it is. */
interface Holder {
  owner: Entry;
  map: YAMLMap | null;
}

function setAt(changing: Changing, { owner, map }: Holder, path: readonly string[], value: Json | undefined): void {
  const { document } = changing;
  const [key = "", ...deeper] = path;
  const editor = new EntryEditor(document.text);
  const entry = map ? readEntries(map, document.yaml)?.find((one) => one.key === key) : undefined;
  if (entry && deeper.length > 0 && (asMap(entry.value) || isBlank(entry.value))) {
    setAt(changing, { owner: entry, map: asMap(entry.value) }, deeper, value);
    return;
  }
  const whole = deeper.reduceRight<Json | undefined>((inner, part) => ({ [part]: inner ?? null }), value);
  if (entry && map) {
    // A lane in short form is its text: it becomes a mapping when it gets a second field.
    const kept: Json | undefined = deeper.length > 0 && whole !== undefined ? withText(entry.value, whole) : whole;
    changing.apply([kept === undefined ? editor.remove(map, entry) : editor.set(entry, kept, map.flow === true)]);
  } else if (whole === undefined) return;
  else if (map) changing.apply([editor.add(map, key, (slot) => renderValue(whole, slot))]);
  else changing.apply([editor.set(owner, { [key]: whole }, true)]);
}

function withText(node: Node | null, fields: Json): Json {
  const text: unknown = node?.toJSON();
  return typeof text === "string" && typeof fields === "object" && fields !== null && !Array.isArray(fields)
    ? { flow: text, ...fields }
    : fields;
}

/** Writes the text of one lane of a control; undefined empties it. */
export function writeLane(changing: Changing, scope: Extract<Scope, { type: "lane" }>, text: string | undefined): void {
  const control = changing.document.flow.controls.get(scope.name);
  const path = control?.type === "router" ? ["lanes", scope.lane, "flow"] : [scope.lane];
  if (control?.type === "router" && text === undefined && isShort(changing, scope))
    setControlField(changing, { type: "set-control-field", name: scope.name, path: ["lanes", scope.lane], value: {} });
  else if (control?.type === "router" && text !== undefined && isShort(changing, scope))
    setControlField(changing, {
      type: "set-control-field",
      name: scope.name,
      path: ["lanes", scope.lane],
      value: text,
    });
  else setControlField(changing, { type: "set-control-field", name: scope.name, path, value: text });
}

/** Whether a lane is written as its text alone. */
const isShort = ({ document }: Changing, { name, lane }: { name: string; lane: string }): boolean =>
  document.topologies.get(name)?.texts.get(lane)?.key === lane;

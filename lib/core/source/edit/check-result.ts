import type { Edit } from "../../flow/edit";
import type { Declaration, Flow } from "../../flow/flow";
import type { SourceDocument, UnreadableRange } from "../read/source-document";
import { ownerOf } from "../read/topology";
import { EditRefused } from "./edit-transaction";

/** What an edit may change: declarations by name, `null` for the root swarm. */
interface EditTargets {
  /** May change. */
  changed: ReadonlySet<string | null>;
  /** May disappear. */
  removed: ReadonlySet<string>;
  /** The setting that may change: `limits`, `description`, or `vars NAME`. */
  setting: string | null;
  /** Anything may change, as a reference to a name does that is replaced. */
  isGlobal: boolean;
}

function targetsOf(edit: Edit): EditTargets {
  const isGlobal = edit.type === "rename" || edit.type === "rename-var";
  return { changed: new Set(changedBy(edit)), removed: new Set(removedBy(edit)), setting: settingOf(edit), isGlobal };
}

function changedBy(edit: Edit): (string | null)[] {
  const owners = "scope" in edit ? [ownerOf(edit.scope)] : [];
  switch (edit.type) {
    case "set-agent-field":
    case "set-control-field":
      return [edit.name];
    case "add-agent":
    case "declare-agent":
    case "add-control":
    case "insert-fragment":
    case "delete-nodes":
    case "inline":
    case "unwrap":
      // The root swarm may contain every agent of the file.
      return [...owners, null];
    case "move-member":
      return [...owners, ...(edit.from ? [ownerOf(edit.from)] : [])];
    default:
      return owners;
  }
}

function removedBy(edit: Edit): readonly string[] {
  if (edit.type === "rename") return [edit.from];
  if (edit.type === "inline") return [edit.name];
  if (edit.type === "unwrap") return edit.names;
  return edit.type === "delete-nodes" && edit.declarations ? edit.names : [];
}

function settingOf(edit: Edit): string | null {
  if (edit.type === "set-limit") return "limits";
  if (edit.type === "set-flow-description") return "description";
  return edit.type === "set-var" ? `vars ${edit.name}` : null;
}

/** The end of the message of every refusal by `assertOthersKept`. */
export const formRefusal = "The way this file is written cannot take the change. Make it in the text.";

/**
 * The last check of every edit: what could be read can still be read, and what the edit does not name is still there and
 * has its values. It refuses what the form of a file makes of an edit that no other rule foresees.
 */
export function assertOthersKept(before: SourceDocument, after: SourceDocument, edit: Edit): void {
  if (after === before) return;
  const targets = targetsOf(edit);
  const harm =
    findUnreadable(before, after, targets) ?? findLostSection(before, after) ?? findHarm(before, after, targets);
  if (harm !== null) throw new EditRefused("unsupported", `${harm} ${formRefusal}`);
}

function findUnreadable(before: SourceDocument, after: SourceDocument, { changed }: EditTargets): string | null {
  if (after.broken && !before.broken) return "The file could not be read any more.";
  // The user may write a text of members that has a mistake.
  const isForeign = ({ type, owner }: UnreadableRange): boolean =>
    type === "form" ||
    owner === undefined ||
    (!changed.has(owner) && (owner === null || before.declarations.has(owner)));
  const count = ({ unreadableRanges }: SourceDocument): number => unreadableRanges.filter(isForeign).length;
  return count(after) > count(before) ? "A part of the file could not be read any more." : null;
}

/** Sections that an edit removes when they become empty. */
const mayEnd = ["vars", "limits", "description", "groups", "swarms"];

function findLostSection(before: SourceDocument, after: SourceDocument): string | null {
  const lost = [...before.sections.keys()].find((key) => !after.sections.has(key) && !mayEnd.includes(key));
  return lost === undefined ? null : `\`${lost}\` would be lost.`;
}

function findHarm(before: SourceDocument, after: SourceDocument, targets: EditTargets): string | null {
  const declarationsAfter = declarationsOf(after.flow);
  for (const [key, declaration] of declarationsOf(before.flow)) {
    const result = declarationsAfter.get(key);
    const { name } = declaration;
    if (!result && !targets.removed.has(name)) return `"${name}" would be lost.`;
    if (result && !mayChange(declaration, targets) && !hasSameValue(declaration, result))
      return `"${name}" would change too.`;
  }
  return targets.isGlobal ? null : findChangedSetting(before.flow, after.flow, targets);
}

/** What uses variables changes with them. */
const mayChange = ({ name, written }: Declaration, { changed, removed, setting, isGlobal }: EditTargets): boolean =>
  isGlobal ||
  changed.has(name) ||
  removed.has(name) ||
  (written !== undefined && (setting?.startsWith("vars ") ?? false));

function findChangedSetting(before: Flow, after: Flow, { changed, setting }: EditTargets): string | null {
  for (const [name, value] of before.vars)
    if (setting !== `vars ${name}` && after.vars.get(name) !== value) return `The variable "${name}" would change too.`;
  const usesChangedVariable = (written: object | undefined): boolean =>
    written !== undefined && setting?.startsWith("vars ") === true;
  if (setting !== "limits" && !usesChangedVariable(before.limits.written) && !hasSameValue(before.limits, after.limits))
    return "The limits would change too.";
  if (setting !== "description" && before.description !== after.description) return "The description would change too.";
  if (changed.has(null) || usesChangedVariable(before.swarm.written)) return null;
  return hasSameValue({ ...before.swarm, name: "" }, { ...after.swarm, name: "" })
    ? null
    : "The flow would change too.";
}

/** By name and type: a name may be declared twice. */
const declarationsOf = ({ agents, groups, swarms, controls }: Flow): Map<string, Declaration> =>
  new Map(
    [agents, groups, swarms, controls].flatMap((declarations) =>
      [...declarations.values()].map((declaration): [string, Declaration] => [
        `${declaration.type} ${declaration.name}`,
        declaration,
      ]),
    ),
  );

const hasSameValue = (before: unknown, after: unknown): boolean => before === after || toText(before) === toText(after);
const toText = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (part instanceof Map ? [...part] : part));

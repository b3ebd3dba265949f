import type { Flow } from "../../flow/flow";
import type { TextRange } from "../../flow/text-range";
import { compareNames, declaredNames } from "../../kinds/members";
import type { SourceDocument } from "../read/source-document";
import { rangeOfNode, readEntries } from "../yaml/yaml-nodes";

/** A name in the place where it is declared. */
export interface NamePlace {
  name: string;
  range: TextRange;
}

/** The names that a file declares and the file before did not. */
export function listNewNames(before: Flow, after: SourceDocument): NamePlace[] {
  const known = new Set(declaredNames(before));
  return declaredNames(after.flow).flatMap((name) => {
    const range = known.has(name) ? null : rangeOfNode(after.declarations.get(name)?.nameNode, after.text);
    return range ? [{ name, range }] : [];
  });
}

/** The name that replaced the one of a variable, `old`; null: none or several were replaced. */
export function findRenamedVariable(before: Flow, after: SourceDocument): (NamePlace & { old: string }) | null {
  const { vars } = after.flow;
  const [old, ...more] = [...before.vars.keys()].filter((name) => !vars.has(name));
  const [name, ...others] = [...vars.keys()].filter((one) => !before.vars.has(one));
  if (name === undefined || old === undefined || others.length + more.length > 0) return null;
  const entry = readEntries(after.sections.get("vars")?.value, after.yaml)?.get(name);
  const range = rangeOfNode(entry?.keyNode, after.text);
  return range ? { name, range, old } : null;
}

/** What became of names that a file declared and declares no more: exactly one that was replaced was renamed. */
export function findRemovedNames(
  before: Flow,
  after: Flow,
): { renames: Readonly<Record<string, string>>; removed: readonly string[] } {
  const { removed, added } = compareNames(before, after);
  const [oldName, newName] = [removed[0], added[0]];
  const isRenamed = removed.length === 1 && added.length === 1 && oldName !== undefined && newName !== undefined;
  return isRenamed ? { renames: { [oldName]: newName }, removed: [] } : { renames: {}, removed };
}

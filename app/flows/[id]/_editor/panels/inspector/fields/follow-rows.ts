import { useState } from "react";
import { toFreeId } from "../../../state/editor/follow-renames";

/** A row of a list by its name; its id stays the same while it is renamed. */
export interface NamedRow {
  name: string;
  id: string;
}

/** The rows after their names changed: new names in the place of as many old ones are those of the same rows. */
export function followRows(rows: readonly NamedRow[], names: readonly string[]): readonly NamedRow[] {
  if (rows.length === names.length && rows.every(({ name }, index) => name === names[index])) return rows;
  const idsByName = new Map(rows.map(({ name, id }) => [name, id]));
  const isKept = new Set(names.filter((name) => idsByName.has(name)));
  const oldRuns = groupByPlace(
    rows.map(({ name }) => name),
    isKept,
  );
  for (const [place, added] of groupByPlace(names, isKept)) {
    const removed = oldRuns.get(place) ?? [];
    if (removed.length !== added.length) continue;
    for (const [index, name] of added.entries()) idsByName.set(name, idsByName.get(removed[index] ?? "") ?? name);
  }
  const taken = new Set(names.flatMap((name) => idsByName.get(name) ?? []));
  return names.map((name) => {
    const id = idsByName.get(name) ?? toFreeId(name, taken);
    taken.add(id);
    return { name, id };
  });
}

/** The names that are not kept, by the kept name before them. */
function groupByPlace(names: readonly string[], isKept: ReadonlySet<string>): Map<string | null, string[]> {
  const groups = new Map<string | null, string[]>();
  let place: string | null = null;
  for (const name of names) {
    if (isKept.has(name)) place = name;
    else groups.set(place, [...(groups.get(place) ?? []), name]);
  }
  return groups;
}

/** The rows of a list of names, so that a row that someone else renames keeps the focus and what is typed in it. */
export function useRows(names: readonly string[]): readonly NamedRow[] {
  const [rows, setRows] = useState(() => followRows([], names));
  const next = followRows(rows, names);
  if (next !== rows) setRows(next);
  return next;
}

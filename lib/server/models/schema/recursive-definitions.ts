import "server-only";
import type { Json } from "@/lib/core/flow/flow";
import { isObject, type JsonObject } from "../json";

/** The references of a schema that lead back to themselves, also to its root (`#`). */
export function findRecursive(root: Json, definitions: JsonObject): ReadonlySet<string> {
  const uses = new Map<string, ReadonlySet<string>>([["#", listReferences(root)]]);
  for (const [name, schema] of Object.entries(definitions))
    for (const place of ["$defs", "definitions"]) uses.set(`#/${place}/${name}`, listReferences(schema));
  return new Set([...uses.keys()].filter((start) => reaches(start, uses)));
}

function reaches(start: string, uses: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const seen = new Set<string>();
  const queue = [...(uses.get(start) ?? [])];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (next === start) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    queue.push(...(uses.get(next) ?? []));
  }
  return false;
}

/** Without those of its definitions. */
function listReferences(schema: Json): ReadonlySet<string> {
  const found = new Set<string>();
  const queue: Json[] = [schema];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (Array.isArray(next)) queue.push(...next);
    if (!isObject(next)) continue;
    if (typeof next.$ref === "string") found.add(next.$ref);
    for (const [key, value] of Object.entries(next)) if (key !== "$defs" && key !== "definitions") queue.push(value);
  }
  return found;
}

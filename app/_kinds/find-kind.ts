import type { LucideIcon } from "lucide-react";
import type { InsertEntry, NodeKind } from "./node-kind";
import { nodeKinds } from "./registry";

const kindsByType: ReadonlyMap<string, NodeKind> = new Map(Object.entries(nodeKinds));

/** Undefined for `unknown`: a name that is used and not declared. */
export const findKind = (type: string): NodeKind | undefined => kindsByType.get(type);

interface TypedNode {
  type: string;
  mode?: string | undefined;
}

/** `Parallel group`, `Agent`; with the icon of the mode. */
export function describeKind({ type, mode }: TypedNode): {
  label: string;
  icon: LucideIcon | undefined;
} {
  const kind = findKind(type);
  const { label, icon } = kind?.modes?.[mode ?? ""] ?? { label: kind?.label, icon: kind?.icon };
  return { label: label ?? "Unknown", icon };
}

export const insertEntries: readonly InsertEntry[] = [...kindsByType.values()].flatMap(({ inserts }) => inserts);

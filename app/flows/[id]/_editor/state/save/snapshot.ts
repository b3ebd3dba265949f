import { type Layout, sameLayout } from "@/lib/core/flow/edit";

export interface Snapshot {
  source: string;
  layout: Layout;
}

/** What the server stores at a revision. */
export interface Theirs extends Snapshot {
  revision: string;
}

export const sameSnapshot = (a: Snapshot, b: Snapshot): boolean =>
  a.source === b.source && sameLayout(a.layout, b.layout);

import { type Layout, sameLayout } from "@/lib/core/flow/edit";
import { toFingerprint } from "@/lib/core/flow/hash-text";

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

/** By which a snapshot is recognised that was sent, and may be stored: no answer arrived. */
export interface SentSnapshot {
  fingerprint: string;
  layout: Layout;
}

export const toSent = ({ source, layout }: Snapshot): SentSnapshot => ({ fingerprint: toFingerprint(source), layout });

export function isAmongSent(sent: readonly SentSnapshot[], { source, layout }: Snapshot): boolean {
  if (sent.length === 0) return false;
  const fingerprint = toFingerprint(source);
  return sent.some((one) => one.fingerprint === fingerprint && sameLayout(one.layout, layout));
}

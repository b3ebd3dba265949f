import type { Live } from "../live";

/** Who changed the flow, where only one other person has it open. */
export function nameOnlyOther({ store }: Pick<Live, "store">): string {
  const { self, peers } = store.getState();
  const [peer, ...others] = peers;
  return peer && others.length === 0 && peer.name !== self?.name ? peer.name : "Someone else";
}

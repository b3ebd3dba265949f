import type { Live } from "../live";

export type LiveState = Pick<ReturnType<Live["store"]["getState"]>, "self" | "peers">;

/** Who changed the flow, where only one other editor is open. */
export function nameOnlyOther({ store }: Pick<Live, "store">): string {
  const { self, peers } = store.getState();
  const [peer, ...others] = peers;
  if (!peer || others.length > 0) return "Someone else";
  if (peer.userId === self?.userId) return "Your other tab";
  return peer.name === self?.name ? "Someone else" : peer.name;
}

/** The writer of a text that has this user's name: someone else where a user of the same name has the flow open. */
export function nameOwnNamed({ self, peers }: LiveState): string {
  const hasNamesake = peers.some(({ name, userId }) => name === self?.name && userId !== self?.userId);
  return hasNamesake ? "someone else" : "your other tab";
}

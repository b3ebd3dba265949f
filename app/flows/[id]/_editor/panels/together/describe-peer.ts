import { agentColor } from "@/app/_ui/agent-color";
import type { Peer } from "@/lib/core/live/messages";

/** The name of a person; another window of the user is not someone else. */
export const nameOfPeer = (peer: Pick<Peer, "userId" | "name">, self: Peer | null): string =>
  peer.userId === self?.userId ? "You, in another window" : peer.name;

/** A short form, where a name is beside something that it belongs to. */
export const shortNameOf = (peer: Pick<Peer, "userId" | "name">, self: Peer | null): string =>
  peer.userId === self?.userId ? "You" : peer.name;

export const colorOfPeer = ({ color }: Pick<Peer, "color">): string => agentColor(color);

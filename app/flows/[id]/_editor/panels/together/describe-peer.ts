import { agentColor } from "@/app/_ui/agent-color";
import type { Peer } from "@/lib/core/live/messages";

export const isOwnWindow = (peer: Pick<Peer, "userId">, self: Peer | null): boolean => peer.userId === self?.userId;

/** The name of a person; another window of the user is not someone else. */
export const nameOfPeer = (peer: Pick<Peer, "userId" | "name">, self: Peer | null): string =>
  isOwnWindow(peer, self) ? "You, in another window" : peer.name;

/** A short form, where a name is beside something that it belongs to. */
export const shortNameOf = (peer: Pick<Peer, "userId" | "name">, self: Peer | null): string =>
  isOwnWindow(peer, self) ? "You" : peer.name;

export const colorOfPeer = ({ color }: Pick<Peer, "color">): string => agentColor(color);

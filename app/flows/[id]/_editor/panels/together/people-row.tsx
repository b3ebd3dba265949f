import { AppWindow } from "lucide-react";
import { toInitials } from "@/lib/core/layout/scene/agent-initials";
import type { Peer } from "@/lib/core/live/messages";
import { useLive, useSession } from "../../state/session-context";
import { colorOfPeer, isOwnWindow, nameOfPeer } from "./describe-peer";

/** On a wide and on a narrow screen. */
const [maxShown, maxShownNarrow] = [4, 1];

/** Everyone else who has the flow open, by initials, and the user's own other windows; a click follows the view, or stops that. */
export default function PeopleRow() {
  const peers = useLive((state) => state.peers);
  const self = useLive((state) => state.self);
  return (
    <ul aria-label="People in this flow" className="mr-1 flex items-center -space-x-1">
      {peers.slice(0, maxShown).map((peer, index) => (
        <li key={peer.id} className={index < maxShownNarrow ? "flex" : "flex max-md:hidden"}>
          <Avatar peer={peer} self={self} />
        </li>
      ))}
      <OtherPeople peers={peers.slice(maxShown)} self={self} className="grid max-md:hidden" />
      <OtherPeople peers={peers.slice(maxShownNarrow)} self={self} className="grid md:hidden" />
    </ul>
  );
}

interface OtherPeopleProps {
  peers: readonly Peer[];
  self: Peer | null;
  className: string;
}

function OtherPeople({ peers, self, className }: OtherPeopleProps) {
  if (peers.length === 0) return null;
  const names = peers.map((peer) => nameOfPeer(peer, self)).join(", ");
  return (
    <li
      title={names}
      className={`h-6.5 min-w-6.5 place-items-center rounded-full border-2 border-surface bg-surface-hover px-1 font-medium text-[11px] text-text-muted tabular-nums ${className}`}
    >
      +{peers.length}
      <span className="sr-only"> more: {names}</span>
    </li>
  );
}

function Avatar({ peer, self }: { peer: Peer; self: Peer | null }) {
  const { live } = useSession();
  const isFollowed = useLive((state) => state.following === peer.id);
  const name = nameOfPeer(peer, self);
  const color = colorOfPeer(peer);
  const words = isFollowed ? `Stop following ${name}` : `Follow ${name}`;
  return (
    <button
      type="button"
      aria-pressed={isFollowed}
      aria-label={`Follow ${name}`}
      title={peer.canWrite ? words : `${words} (can only read)`}
      onClick={() => live.follow(isFollowed ? null : peer.id)}
      style={{ background: color, ...(isFollowed && { outline: `2px solid ${color}`, outlineOffset: 1 }) }}
      className="grid size-6.5 place-items-center rounded-full border-2 border-surface font-semibold text-[10px] text-on-agent leading-none hover:z-10 hover:brightness-110 aria-pressed:z-10"
    >
      {isOwnWindow(peer, self) ? <AppWindow size={13} aria-hidden /> : toInitials(peer.name)}
    </button>
  );
}

import { toInitials } from "@/lib/core/layout/scene/agent-initials";
import type { Peer } from "@/lib/core/live/messages";
import { useLive, useSession } from "../../state/session-context";
import { colorOfPeer, nameOfPeer, shortNameOf } from "./describe-peer";

const mostShown = 4;

/** Everyone else who has the flow open; a click follows the person's view, or stops that. */
export default function PeopleRow() {
  const peers = useLive((state) => state.peers);
  const self = useLive((state) => state.self);
  const others = peers.slice(mostShown);
  return (
    <ul aria-label="People in this flow" className="mr-1 flex items-center -space-x-1">
      {peers.slice(0, mostShown).map((peer) => (
        <li key={peer.id} className="flex">
          <Avatar peer={peer} self={self} />
        </li>
      ))}
      {others.length > 0 && (
        <li
          title={others.map((peer) => nameOfPeer(peer, self)).join(", ")}
          className="grid h-6.5 min-w-6.5 place-items-center rounded-full border-2 border-surface bg-surface-hover px-1 font-medium text-[11px] text-text-muted tabular-nums"
        >
          +{others.length}
          <span className="sr-only"> more: {others.map((peer) => nameOfPeer(peer, self)).join(", ")}</span>
        </li>
      )}
    </ul>
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
      {toInitials(shortNameOf(peer, self))}
    </button>
  );
}

import "server-only";
import { z } from "zod";
import { type Peer, peerSchema } from "@/lib/core/live/messages";

/** Peers of another process that were not heard of for so long have left with it. */
const expiryMs = 45_000;

/** What a process tells the others about the editors that are connected to it. */
export interface PeerNews {
  flowId: string;
  /** New ones, and those that have changed. */
  peers: readonly Peer[];
  left: readonly string[];
  /** Whether the others are to answer with theirs. */
  isRequest?: boolean;
}

const messageSchema = z.object({
  process: z.string(),
  flowId: z.string(),
  peers: z.array(peerSchema),
  left: z.array(z.string()),
  isRequest: z.boolean().optional(),
});

/** PostgreSQL takes less than 8,000 bytes a message. */
const longestMessage = 7_000;

/** The news as messages without spaces that each fit into a notification; a single peer that does not fit goes without presence. */
export function toMessages(news: PeerNews, process: string): string[] {
  const encode = (part: PeerNews): string => Buffer.from(JSON.stringify({ process, ...part })).toString("base64url");
  const whole = encode(news);
  if (whole.length <= longestMessage) return [whole];
  const { peers } = news;
  const [first] = peers;
  if (peers.length === 1 && first)
    return toMessages({ ...news, peers: first.presence ? [{ ...first, presence: null }] : [] }, process);
  const middle = Math.ceil(peers.length / 2);
  return [
    ...toMessages({ ...news, peers: peers.slice(0, middle) }, process),
    ...toMessages({ flowId: news.flowId, peers: peers.slice(middle), left: [] }, process),
  ];
}

/** Null for what is no such message. */
export function readMessage(message: string): { news: PeerNews; process: string } | null {
  try {
    const { process, isRequest, ...news } = messageSchema.parse(
      JSON.parse(Buffer.from(message, "base64url").toString()),
    );
    return { news: { ...news, ...(isRequest && { isRequest }) }, process };
  } catch {
    return null;
  }
}

/** The peers that are connected to other processes. */
export class PeerList {
  readonly #peers = new Map<string, { peer: Peer; seenAt: number }>();

  list(): Peer[] {
    return [...this.#peers.values()].map(({ peer }) => peer);
  }

  /** Returns the ids of those who have left. */
  apply({ peers, left }: PeerNews): string[] {
    for (const peer of peers) this.#peers.set(peer.id, { peer, seenAt: Date.now() });
    return left.filter((id) => this.#peers.delete(id));
  }

  /** Returns the ids of those who were not heard of for long. */
  expire(now = Date.now()): string[] {
    const expired = [...this.#peers].filter(([, { seenAt }]) => seenAt < now - expiryMs).map(([id]) => id);
    for (const id of expired) this.#peers.delete(id);
    return expired;
  }
}

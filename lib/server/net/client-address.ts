import "server-only";
import ipaddr from "ipaddr.js";
import { classifyAddress } from "./address";

/** The header in which the server passes on where a request came from. What a client sends in it is replaced. */
export const addressHeader = "x-swarmloom-address";

/**
 * Where a request came from. A peer on this machine or in a private network is taken for a proxy, which appends its client to
 * `X-Forwarded-For`; of any other peer that header is ignored. IPv6 addresses are cut to the network of 64 bits that one
 * client has.
 */
export function toClientAddress(peer: string | undefined, forwardedFor: string | undefined): string {
  if (peer === undefined) return "unknown";
  const [client] = isInside(peer) ? (forwardedFor ?? "").split(",").slice(-1) : [];
  return toNetwork(client?.trim() || peer);
}

/** Whether an address is that of this machine. */
export const isLoopbackAddress = (address: string): boolean => classifyAddress(address) === "loopback";

const isInside = (address: string): boolean => ["loopback", "private"].includes(classifyAddress(address));

function toNetwork(text: string): string {
  if (!ipaddr.isValid(text)) return text.slice(0, 100);
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4 || isLoopbackAddress(text)) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::`;
}

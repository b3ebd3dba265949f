import "server-only";
import ipaddr from "ipaddr.js";
import { getEnv } from "../env";
import { classifyAddress } from "./address";

/** The header in which the server passes on where a request came from. What a client sends in it is replaced. */
export const addressHeader = "x-swarmloom-address";

/**
 * Where a request came from. A peer on this machine, and one that SWARMLOOM_TRUSTED_PROXIES names, is a proxy, which appends its
 * client to `X-Forwarded-For`, with or without its port; of any other peer that header is ignored, for anyone can send it. IPv6
 * addresses are cut to the network of 56 bits that one client has. What is no address is "unknown".
 */
export function toClientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: readonly string[] = getEnv().SWARMLOOM_TRUSTED_PROXIES,
): string {
  if (peer === undefined) return "unknown";
  const chain = [...(forwardedFor ?? "").split(","), peer].map(withoutPort).filter(Boolean);
  let client = chain.pop() ?? peer;
  while (chain.length > 0 && isProxy(client, trusted)) client = chain.pop() ?? client;
  return toNetwork(client);
}

/** Whether an address is that of this machine. */
export const isLoopbackAddress = (address: string): boolean => classifyAddress(address) === "loopback";

/** The address of a visitor without an account; undefined: this machine, which has no limits. */
export function readVisitorAddress(headers: Headers): string | undefined {
  const address = headers.get(addressHeader) ?? "unknown";
  return isLoopbackAddress(address) ? undefined : address;
}

function isProxy(text: string, trusted: readonly string[]): boolean {
  if (isLoopbackAddress(text)) return true;
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return trusted.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(range);
    return network.kind() === address.kind() && address.match(network, bits);
  });
}

/** An address alone, of forms such as `203.0.113.5:1234`, `[2001:db8::1]:1234` and `fe80::1%eth0`. */
function withoutPort(text: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d*)?|([\d.]+):\d*)$/.exec(text.trim()) ?? [];
  return (bracketed ?? plain ?? text.trim()).replace(/%.*$/, "");
}

function toNetwork(text: string): string {
  if (!ipaddr.isValid(text)) return "unknown";
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4 || isLoopbackAddress(text)) return address.toString();
  return new ipaddr.IPv6([...address.parts.slice(0, 3), (address.parts[3] ?? 0) & 0xff00, 0, 0, 0, 0]).toString();
}

import "server-only";
import { isIP } from "node:net";
import os from "node:os";
import ipaddr from "ipaddr.js";

/** Words for the ranges that people know; any other range that is not public is "reserved". */
const kinds: Readonly<Record<string, string>> = {
  loopback: "loopback",
  private: "private",
  uniqueLocal: "private",
  linkLocal: "link-local",
  carrierGradeNat: "carrier-internal",
  multicast: "multicast",
  broadcast: "broadcast",
  unspecified: "unspecified",
};

/** Public by its range, but answered by the machine's own host: Azure's metadata and DNS. */
const cloudHosts = new Set(["168.63.129.16"]);

const wellKnownNat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * "public" for a globally reachable unicast address, else the kind of address that it is. An IPv4 address inside an IPv6
 * one (mapped, or translated by NAT64) counts as what it is; 6to4, Teredo and IPv4-compatible addresses are never public.
 */
export function classifyAddress(text: string): string {
  const bare = text.replace(/%.*$/, "");
  const family = isIP(bare);
  if (family === 0) return "unreadable";
  // The URL parser first: ipaddr.js takes ::1.2.3.4 for ::ffff:1.2.3.4.
  const address = ipaddr.parse(family === 4 ? bare : new URL(`http://[${bare}]/`).hostname.slice(1, -1));
  if (address instanceof ipaddr.IPv4) return classifyIpv4(address);
  const embedded = findIpv4(address);
  if (embedded) return classifyIpv4(embedded);
  const range = address.range();
  if (range !== "unicast") return kinds[range] ?? "reserved";
  return address.match(globalUnicast) ? "public" : "reserved";
}

function classifyIpv4(address: ipaddr.IPv4): string {
  const range = address.range();
  if (range !== "unicast") return kinds[range] ?? "reserved";
  return cloudHosts.has(address.toString()) ? "cloud-internal" : "public";
}

/** The IPv4 address to which the system or a NAT64 gateway turns an IPv6 one (RFC 4291, 6145, 6052), if it is such. */
function findIpv4(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const isTranslated = address.isIPv4MappedAddress() || address.range() === "rfc6145" || address.match(wellKnownNat64);
  return isTranslated ? new ipaddr.IPv4(address.toByteArray().slice(12)) : null;
}

/** Whether connecting to an address leads to this machine, at whatever port. */
export function isOwnAddress(text: string): boolean {
  const kind = classifyAddress(text);
  if (kind === "loopback" || kind === "unspecified") return true;
  const plain = toPlainText(text);
  return Object.values(os.networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => toPlainText(address) === plain),
  );
}

/** One text for all ways to write an address; null: it is none. */
function toPlainText(text: string): string | null {
  const bare = text.replace(/%.*$/, "");
  if (isIP(bare) === 0) return null;
  const address = ipaddr.parse(bare);
  const embedded = address instanceof ipaddr.IPv6 ? findIpv4(address) : null;
  return (embedded ?? address).toNormalizedString();
}

import "server-only";
import { lookup as lookUpHost } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { type AllowedHost, isAllowed } from "./allow-list";

/** An address to connect to, in a form without names. */
export interface Address {
  address: string;
  family: number;
}

/** What the guard asks for the addresses of a host. */
export type Lookup = (host: string) => Promise<readonly Address[]>;

export const systemLookup: Lookup = (host) => lookUpHost(host, { all: true, verbatim: true });

/** What may be reached: public addresses, and the hosts that an administrator named. */
export interface Guard {
  allow: readonly AllowedHost[];
  lookup: Lookup;
}

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
  const inner = findIpv4(address);
  if (inner) return classifyIpv4(inner);
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

/**
 * The URL that a text says.
 * @throws Error for anything but http and https, and for a URL with a user or a password.
 */
export function parseHttpUrl(text: string | URL, base?: URL): URL {
  const shown = String(text).slice(0, 200);
  if (!URL.canParse(text, base)) throw new Error(`expected a whole URL such as https://example.com/, found "${shown}"`);
  const url = new URL(text, base);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new Error(`expected a URL that begins with http:// or https://, found ${url.protocol}`);
  if (url.username !== "" || url.password !== "")
    throw new Error("a URL may not hold a user or a password; send them in a header");
  return url;
}

/**
 * The addresses that a request to `url` may connect to. A host of which any address is not public is refused, unless the
 * administrator allowed it by its name.
 * @throws Error that says what was refused; it never holds the address that a name resolved to.
 */
export async function resolveTarget(url: URL, guard: Guard): Promise<readonly Address[]> {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const family = isIP(host);
  const addresses = family === 0 ? await lookUp(host, guard.lookup) : [{ address: host, family }];
  if (isAllowed(url, guard.allow)) return addresses;
  const denied = addresses.map(({ address }) => classifyAddress(address)).find((kind) => kind !== "public");
  if (denied === undefined) return addresses;
  throw new Error(
    `${url.host} is not reached: its address is ${denied}, and only public addresses are. An administrator allows a host by naming it in SWARMLOOM_HTTP_ALLOW`,
  );
}

async function lookUp(host: string, lookup: Lookup): Promise<readonly Address[]> {
  const addresses = await lookup(host).catch(() => []);
  if (addresses.length === 0) throw new Error(`the host "${host}" was not found; check the spelling of the URL`);
  return addresses;
}

/** A lookup for a socket that answers with the addresses that were checked, and asks nobody again. */
export const pinTo =
  (addresses: readonly Address[]): LookupFunction =>
  (_host, options, callback) => {
    const wanted = addresses.filter(({ family }) => !options.family || options.family === family);
    const [first] = wanted;
    if (!first) callback(new Error("the host has no address of this family"), "", 0);
    else if (options.all) callback(null, [...wanted]);
    else callback(null, first.address, first.family);
  };

import "server-only";
import type { LookupAddress } from "node:dns";
import { lookup as lookUpHost } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { classifyAddress, isOwnAddress } from "./address";
import { type AllowedHost, findAllowed, nameHost, portOf } from "./allow-list";

/** What the guard asks for the addresses of a host. */
export type Lookup = (host: string) => Promise<readonly LookupAddress[]>;

export const systemLookup: Lookup = (host) => lookUpHost(host, { all: true, verbatim: true });

/** What may be reached: public addresses, and the hosts that an administrator named. */
export interface Guard {
  allow: readonly AllowedHost[];
  /** The environment variable of `allow`, for messages. */
  setting: string;
  /** The port of this server: at this machine's own addresses it is never reached, whatever `allow` names. */
  ownPort: number;
  lookup: Lookup;
  /** The only hosts that are reached, `example.org` or `*.example.org`; missing or null: every one. */
  hosts?: readonly string[] | null;
}

/**
 * The URL in a text.
 * @throws Error for anything but http and https, and for a URL with a user or a password.
 */
export function parseHttpUrl(text: string | URL, base?: URL): URL {
  const excerpt = String(text).slice(0, 200);
  if (!URL.canParse(text, base))
    throw new Error(`expected a whole URL such as https://example.com/, found "${excerpt}"`);
  const url = new URL(text, base);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new Error(`expected a URL that begins with http:// or https://, found ${url.protocol}`);
  if (url.username !== "" || url.password !== "")
    throw new Error("a URL may not hold a user or a password; send them in a header");
  return url;
}

/**
 * The addresses that a request to `url` may connect to. A host of which any address is not public is refused, unless the
 * administrator allowed it by its name; this machine only at a port that was named, and this server never.
 * @throws Error that names what was refused; it never contains the address that a name resolved to.
 */
export async function resolveTarget(url: URL, guard: Guard): Promise<readonly LookupAddress[]> {
  if (!isNamed(url, guard.hosts ?? null))
    throw new Error(`${url.host} is not reached: it is none of the hosts that this team allows in Settings, Tools`);
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const family = isIP(host);
  const addresses = family === 0 ? await lookUp(host, guard.lookup) : [{ address: host, family }];
  const refusal = findRefusal(url, addresses, guard);
  if (refusal !== null) throw new Error(`${url.host} is not reached: ${refusal}`);
  return addresses;
}

const isNamed = (url: URL, hosts: readonly string[] | null): boolean => {
  const name = nameHost(url);
  return hosts === null || hosts.some((host) => (host.startsWith("*.") ? name.endsWith(host.slice(1)) : name === host));
};

/** Why a request may not connect to these addresses; null: it may. */
function findRefusal(url: URL, addresses: readonly LookupAddress[], { allow, setting, ownPort }: Guard): string | null {
  const isOwn = addresses.some(({ address }) => isOwnAddress(address));
  if (isOwn && portOf(url) === ownPort) return "it is the address of this server itself, which no setting allows";
  const kinds = addresses.map(({ address }) => classifyAddress(address));
  const denied = kinds.find((kind) => kind !== "public");
  const allowed = findAllowed(url, allow);
  if (denied === undefined || (allowed && (allowed.port !== undefined || !isOwn))) return null;
  if (allowed) return `it is this machine; an administrator names its port, too, in ${setting}, such as localhost:8080`;
  return `its address is ${denied}, and only public addresses are. An administrator allows a host by naming it in ${setting}`;
}

async function lookUp(host: string, lookup: Lookup): Promise<readonly LookupAddress[]> {
  const addresses = await lookup(host).catch(() => []);
  if (addresses.length === 0) throw new Error(`the host "${host}" was not found; check the spelling of the URL`);
  return addresses;
}

/** A lookup for a socket that answers with the checked addresses, without another lookup. */
export const pinTo =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_host, options, callback) => {
    const ofFamily = addresses.filter(({ family }) => !options.family || options.family === family);
    const [firstAddress] = ofFamily;
    if (!firstAddress) callback(new Error("the host has no address of this family"), "", 0);
    else if (options.all) callback(null, [...ofFamily]);
    else callback(null, firstAddress.address, firstAddress.family);
  };

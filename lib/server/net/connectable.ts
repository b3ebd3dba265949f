import "server-only";
import type { LookupAddress } from "node:dns";
import { lookup as lookUpHost } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { getOwnPort } from "../env";
import { classifyAddress, isOwnAddress } from "./address";
import { portOf } from "./allow-list";
import { type Lookup, parseHttpUrl } from "./guard";

/**
 * How far a connection reaches: `anywhere` is what the operator names in the environment; `networks` is what people of the
 * first team enter, i.e. model servers on the internet, on this machine and in private networks; `internet` is what others enter.
 */
export type Reach = "anywhere" | "networks" | "internet";

const connectableKinds = {
  networks: new Set(["public", "loopback", "unspecified", "private", "carrier-internal"]),
  internet: new Set(["public"]),
};
/** How far what people enter reaches. */
export type CheckedReach = keyof typeof connectableKinds;

/** Addresses inside of these ranges at which clouds hand out credentials: AWS over IPv6, Alibaba, Oracle. */
const metadataAddresses = new Set(["fd00:ec2::254", "100.100.100.200", "192.0.0.192"]);
const metadataNames = /^(?:metadata|metadata\.google\.internal|metadata\.goog|instance-data)\.?$/i;

/** Why no connection leads to an address; null: one may. */
function findAddressRefusal(address: string, reach: CheckedReach): string | null {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
  const kind = classifyAddress(plain);
  if (connectableKinds[reach].has(kind) && !metadataAddresses.has(plain.toLowerCase())) return null;
  return `its address is ${metadataAddresses.has(plain) ? "a cloud's metadata service" : kind}, which no connection may reach`;
}

/**
 * Checks what can be known of an address without asking for it.
 * @throws Error in plain words: no http(s), a user or password inside, a metadata service, this server itself.
 */
export function assertConnectable(text: string, reach: CheckedReach): void {
  const url = parseHttpUrl(text);
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const refusal = metadataNames.test(host)
    ? "it is a cloud's metadata service"
    : isIP(host) === 0
      ? null
      : findAddressRefusal(host, reach);
  if (refusal !== null) throw new Error(`${url.host} is not reached: ${refusal}`);
  if (reach === "internet" && /^(?:.+\.)?localhost\.?$/i.test(host))
    throw new Error(`${url.host} is not reached: it is this machine, which no connection may reach`);
  const isOwn = /^(?:.+\.)?localhost\.?$/i.test(host) || (isIP(host) !== 0 && isOwnAddress(host));
  if (isOwn && portOf(url) === getOwnPort())
    throw new Error(`${url.host} is not reached: it is the address of this server itself`);
}

/** `assertConnectable`, and the addresses that the name has now; a name that is not found passes, for it may be found later. */
export async function assertConnectableNow(text: string, reach: CheckedReach, lookup: Lookup): Promise<void> {
  assertConnectable(text, reach);
  const { hostname, host } = new URL(text);
  if (isIP(hostname.replace(/^\[(.*)\]$/, "$1")) !== 0) return;
  const addresses = await lookup(hostname).catch(() => []);
  const refusal = addresses.map(({ address }) => findAddressRefusal(address, reach)).find((reason) => reason !== null);
  if (refusal) throw new Error(`${host} is not reached: ${refusal}`);
  if (portOf(new URL(text)) === getOwnPort() && addresses.some(({ address }) => isOwnAddress(address)))
    throw new Error(`${host} is not reached: it is the address of this server itself`);
}

/** A lookup for sockets that fails for names with an address that no connection may reach, whatever it was a moment before. */
export const connectableLookup =
  (reach: CheckedReach): LookupFunction =>
  (host, options, callback) => {
    lookUpHost(host, { ...options, all: true }, (error, addresses: LookupAddress[] = []) => {
      const refusal = addresses
        .map(({ address }) => findAddressRefusal(address, reach))
        .find((reason) => reason !== null);
      const [first] = addresses;
      if (error || !first) callback(error ?? new Error(`the host "${host}" was not found`), "", 0);
      else if (refusal) callback(new Error(`${host} is not reached: ${refusal}`), "", 0);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };

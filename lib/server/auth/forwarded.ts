import "server-only";
import { classifyAddress } from "../net/address";
import { isLoopbackHost } from "./loopback";

/** Headers in which proxies name the client that they forward for: addresses, separated by commas. */
const addressHeaders = ["x-forwarded-for", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip"];
/** Headers in which proxies name the host that the client asked for, or themselves. */
const hostHeaders = ["x-forwarded-host", "x-forwarded-server", "x-original-host"];

/**
 * The header of a request that names a client, a host or a proxy other than this machine, as `name: value`; null when there
 * is none. Next adds `x-forwarded-*` of its own to every request, made from the socket: hence values decide, not presence.
 */
export function findForeignForwarding(headers: Headers): string | null {
  const isForeign = (name: string, isLocal: (value: string) => boolean): boolean =>
    !(headers.get(name) ?? "")
      .split(",")
      .map((item) => item.trim())
      .filter(Boolean)
      .every(isLocal);
  const foreign =
    addressHeaders.find((name) => isForeign(name, isLoopbackAddress)) ??
    hostHeaders.find((name) => isForeign(name, isLoopbackHost)) ??
    (isForeign("forwarded", isLocalForwarding) ? "forwarded" : undefined) ??
    (isForeign("via", isLocalProxy) ? "via" : undefined);
  return foreign === undefined ? null : `${foreign}: ${(headers.get(foreign) ?? "").slice(0, 100)}`;
}

/** Also with a port, in brackets, or as IPv4 inside IPv6. */
const isLoopbackAddress = (text: string): boolean => {
  const address = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(text)?.[1] ?? text;
  return classifyAddress(address) === "loopback";
};

/** One element of `Forwarded` (RFC 7239): `for=…;by=…;host=…;proto=…`. Hidden and unknown clients are foreign. */
const isLocalForwarding = (element: string): boolean =>
  element.split(";").every((pair) => {
    const [, name, value = ""] = /^\s*(\w+)\s*=\s*"?([^"]*)"?\s*$/.exec(pair) ?? [];
    if (name === undefined) return false;
    if (/^(for|by)$/i.test(name)) return isLoopbackAddress(value);
    return /^host$/i.test(name) ? isLoopbackHost(value) : true;
  });

/** One element of `Via` (RFC 9110): the protocol's version, then the proxy's host or name. */
const isLocalProxy = (element: string): boolean => isLoopbackHost(element.split(/\s+/)[1] ?? "");

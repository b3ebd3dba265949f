import "server-only";
import { isIP } from "node:net";
import { classifyAddress } from "./address";

/** A host, and the one port of it that is meant; no port: every port. */
export interface AllowedHost {
  /** As `URL.hostname` writes it. */
  host: string;
  port?: number;
}

const defaultPorts = new Map([
  ["http:", 80],
  ["https:", 443],
]);

/**
 * Reads `localhost:8080, 10.0.0.5, [::1]:3000`: hosts or host:port, separated by commas.
 * @throws Error that names the entry which is neither, or which opens every port of this machine.
 */
export function parseAllowList(text: string): AllowedHost[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map(parseEntry);
}

function parseEntry(entry: string): AllowedHost {
  const written = isIP(entry) === 6 ? `[${entry}]` : entry;
  const [, name = "", digits] = /^(\[[\da-f:.]+\]|[^\s:/?#@[\]*\\%]+)(?::(\d{1,5}))?$/i.exec(written) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  if (name === "" || !URL.canParse(`http://${name}`) || (port !== undefined && (port < 1 || port > 65_535)))
    throw new Error(`expected hosts or host:port separated by commas, such as localhost:8080, found "${entry}"`);
  const host = nameHost(new URL(`http://${name}`));
  if (port === undefined && isLoopback(host))
    throw new Error(`expected a port with an address of this machine, such as localhost:8080, found "${entry}"`);
  return { host, ...(port !== undefined && { port }) };
}

/** Whether a host, as `URL.hostname` writes it, is this machine by its letters. */
const isLoopback = (host: string): boolean =>
  /^(?:.+\.)?localhost$/.test(host) ||
  ["loopback", "unspecified"].includes(classifyAddress(host.replace(/^\[(.*)\]$/, "$1")));

/** The port that a request to a URL connects to. */
export const portOf = (url: URL): number | undefined =>
  url.port === "" ? defaultPorts.get(url.protocol) : Number(url.port);

/**
 * The entry of the list that allows the address of a URL, as it is written there; one with a port goes before one
 * without. No host is on the list by what it resolves to.
 */
export function findAllowed(url: URL, list: readonly AllowedHost[]): AllowedHost | undefined {
  const host = nameHost(url);
  const entries = list.filter((entry) => entry.host === host);
  return entries.find(({ port }) => port === portOf(url)) ?? entries.find(({ port }) => port === undefined);
}

/** `example.com.` is `example.com`. */
export const nameHost = (url: URL): string => url.hostname.replace(/\.$/, "");

import "server-only";

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
 * @throws Error that names the entry which is neither.
 */
export function parseAllowList(text: string): AllowedHost[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map(parseEntry);
}

function parseEntry(entry: string): AllowedHost {
  const [, name = "", digits] = /^(\[[\da-f:.]+\]|[^\s:/?#@[\]*\\%]+)(?::(\d{1,5}))?$/i.exec(entry) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  if (name === "" || !URL.canParse(`http://${name}`) || (port !== undefined && (port < 1 || port > 65_535)))
    throw new Error(`expected hosts or host:port separated by commas, such as localhost:8080, found "${entry}"`);
  return { host: nameHost(new URL(`http://${name}`)), ...(port !== undefined && { port }) };
}

/** Whether the address of a URL, as it is written there, is on the list. No host is on it by what it resolves to. */
export function isAllowed(url: URL, list: readonly AllowedHost[]): boolean {
  const host = nameHost(url);
  const port = url.port === "" ? defaultPorts.get(url.protocol) : Number(url.port);
  return list.some((one) => one.host === host && (one.port === undefined || one.port === port));
}

/** `example.com.` is `example.com`. */
const nameHost = (url: URL): string => url.hostname.replace(/\.$/, "");

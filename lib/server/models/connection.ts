import "server-only";

/** Where a provider is asked, and with which key. */
export interface ProviderConnection {
  apiKey?: string | undefined;
  /** As the provider's SDK wants it: with the version for OpenAI's language, without it for Anthropic and Google. */
  baseUrl?: string | undefined;
  /** Milliseconds of silence after which a call fails; ten minutes when not given. */
  idleMs?: number | undefined;
}

/** Whether an address belongs to a domain or one below it. */
export function isHostOf(url: string, domain: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

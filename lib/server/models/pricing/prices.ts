import "server-only";
import { calcPrice } from "@pydantic/genai-prices";
import type { PriceList } from "@/lib/core/run/ports/model";
import type { TokenCounts } from "./usage";

/** The price list that comes with the package, and the day on which it was published. */
export const priceList: PriceList = { source: "@pydantic/genai-prices 0.1.8", date: "2026-09-23" };

/** The domains of the providers whose prices are in the list. */
const ownDomains = new Map([
  ["openai", "openai.com"],
  ["anthropic", "anthropic.com"],
  ["google", "googleapis.com"],
]);

/** Whether the list holds for the service at this address (missing: the provider's own), not for others that speak its language. */
export function hasListedPrices(provider: string, baseUrl?: string): boolean {
  const domain = ownDomains.get(provider);
  return domain !== undefined && (baseUrl === undefined || isHostOf(baseUrl, domain));
}

/** Whether an address belongs to a domain or one below it. */
function isHostOf(url: string, domain: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

/**
 * What a call cost in US dollars, by the price list that comes with `@pydantic/genai-prices` (bundled: it is never
 * updated over the network here). Null: the model, or one of its prices, is not in the list.
 */
export function findPrice(provider: string, model: string, counts: TokenCounts): number | null {
  try {
    const usage = {
      input_tokens: counts.input,
      output_tokens: counts.output,
      cache_read_tokens: Math.min(counts.cached, counts.input),
      cache_write_tokens: Math.min(counts.cacheWrite, counts.input - Math.min(counts.cached, counts.input)),
    };
    const price = calcPrice(usage, model, { providerId: provider })?.total_price;
    return price !== undefined && Number.isFinite(price) && price >= 0 ? price : null;
  } catch {
    // The package throws for combinations that a model has no price for: unknown, too.
    return null;
  }
}

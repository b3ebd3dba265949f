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
  const cached = Math.min(counts.cached, counts.input);
  const price = findListed(provider, model, {
    input_tokens: counts.input,
    output_tokens: counts.output,
    cache_read_tokens: cached,
    cache_write_tokens: Math.min(counts.cacheWrite, counts.input - cached),
  })?.total_price;
  return price !== undefined && Number.isFinite(price) && price >= 0 ? price : null;
}

/** The end of a snapshot's name: OpenAI writes `-2026-08-01`, Anthropic `-20260801`. */
const snapshotDate = /-\d{4}-?\d{2}-?\d{2}$/;

type ListedUsage = Parameters<typeof calcPrice>[0];

/**
 * The model in the list, with the price of a usage. A snapshot that is not in the list has the price of its model. Null:
 * that is not there either, or has no price for something that was used.
 */
export const findListed = (providerId: string, model: string, usage: ListedUsage) =>
  calcListed(providerId, model, usage) ?? calcListed(providerId, model.replace(snapshotDate, ""), usage);

function calcListed(providerId: string, model: string, usage: ListedUsage) {
  try {
    return calcPrice(usage, model, { providerId });
  } catch {
    // The package throws for combinations that a model has no price for.
    return null;
  }
}

import "server-only";
import type { ModelPrice as ListedPrice } from "@pydantic/genai-prices";
import type { ProviderOffer } from "@/lib/core/check/offer";
import { parseModel } from "@/lib/core/flow/model-name";
import { factsOf, type ModelOffer, type ModelPrice } from "@/lib/core/flow/model-support";
import { listProviders } from "./model-port";
import { defaultMaxTokens } from "./pricing/catalogue";
import { findEnding } from "./pricing/model-endings";
import { findListed, hasListedPrices, priceList } from "./pricing/prices";
import type { ReportedModels } from "./reported-models";

/** What was described on a day: prices may change from one to the next. */
let described: { day: string; offers: Map<string, ModelOffer> } | undefined;
/** More names than any list holds are not kept. */
const mostKept = 1000;

const perMillion = ["input_mtok", "output_mtok", "cache_read_mtok"] as const;
const oneToken = { input_tokens: 1, output_tokens: 1 };

/** What is known of a model and of what it costs today. What is not in the lists is left out. */
export function describeModel(model: string): ModelOffer {
  const day = new Date().toISOString().slice(0, 10);
  if (described?.day !== day) described = { day, offers: new Map() };
  const cachedOffer = described.offers.get(model);
  if (cachedOffer) return cachedOffer;
  const offer = toOffer(parseModel(model));
  if (described.offers.size < mostKept) described.offers.set(model, offer);
  return offer;
}

function toOffer({ provider, name }: ReturnType<typeof parseModel>): ModelOffer {
  const listed = hasListedPrices(provider) ? findListed(provider, name, oneToken) : null;
  const price = listed && toPrice(listed.model_price);
  const ending = findEnding(provider, name);
  return {
    provider,
    name,
    ...factsOf(provider, name),
    ...(listed?.model.name && { label: listed.model.name }),
    ...(listed?.model.context_window && { context: listed.model.context_window }),
    ...(price && { price }),
    ...(ending && { ending }),
    ...(provider === "anthropic" && { unsetMaxTokens: defaultMaxTokens(name) }),
  };
}

function toPrice(listed: ListedPrice): ModelPrice | null {
  const [input, output, cached] = perMillion.map((key) => {
    const price = listed[key];
    return typeof price === "object" ? price.base : price;
  });
  if (input === undefined || output === undefined) return null;
  const tiers = typeof listed.input_mtok === "object" ? listed.input_mtok.tiers : [];
  const [tier] = tiers.toSorted((a, b) => a.start - b.start);
  return {
    input,
    output,
    ...(cached !== undefined && { cached }),
    asOf: priceList.date,
    ...(tier && { risesAbove: tier.start }),
  };
}

/** The newest few of every provider: what a page brings along. */
export const listUsualModels = (providers: readonly ProviderOffer[] = listProviders()): ModelOffer[] =>
  providers.flatMap(({ id, models }) => models.slice(0, 3).map((name) => describeModel(`${id}:${name}`)));

/** What there is to search: the providers, and what their connected servers report. */
interface OfferedModels {
  providers: readonly ProviderOffer[];
  reported?: readonly ReportedModels[];
}

/**
 * Models whose provider, server, name or label hold every word of `query`: those of connected servers first, then those of
 * other connected providers; a name that equals `query` leads those of its provider. A whole `provider:model` that no list
 * suggests comes before all, with what is known of it. Each provider gets a fair share of `limit`.
 */
export function searchModels(
  query: string,
  limit: number,
  { providers, reported = [] }: OfferedModels = { providers: listProviders() },
): ModelOffer[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = listOffersByProvider(providers, reported).map(({ label, offers }) => {
    const fitting = offers.filter((offer) => {
      const text = `${offer.provider}:${offer.name} ${label} ${offer.server ?? ""} ${offer.label ?? ""}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return fitting.toSorted((a, b) => Number(b.name === query.trim()) - Number(a.name === query.trim()));
  });
  const { provider, name } = parseModel(query.trim());
  const isWhole = query.includes(":") && name !== "" && providers.some(({ id }) => id === provider);
  const isListed = matching.flat().some((offer) => offer.provider === provider && offer.name === name);
  const whole = isWhole && !isListed ? [describeModel(query.trim())] : [];
  return [...whole, ...shareOut(matching, limit - whole.length)];
}

function listOffersByProvider(providers: readonly ProviderOffer[], reported: readonly ReportedModels[]) {
  const servers = new Map(reported.map((list) => [list.provider, list]));
  const rank = ({ id, available }: ProviderOffer): number => (servers.has(id) ? 2 : Number(available));
  return providers
    .toSorted((a, b) => rank(b) - rank(a))
    .map(({ id, label, models }) => {
      const server = servers.get(id);
      const offers = [...new Set([...(server?.models ?? []), ...models])].map((name): ModelOffer => {
        const offer = describeModel(`${id}:${name}`);
        return server?.models.includes(name) ? { ...offer, server: server.host } : offer;
      });
      return { label, offers };
    });
}

/** The first items of every list, as many of each as fit together into `limit`. */
function shareOut<Item>(lists: readonly (readonly Item[])[], limit: number): Item[] {
  let remaining = limit;
  const sizes = new Map<readonly Item[], number>();
  for (const [index, list] of lists.toSorted((a, b) => a.length - b.length).entries()) {
    const size = Math.min(list.length, Math.ceil(remaining / (lists.length - index)));
    sizes.set(list, size);
    remaining -= size;
  }
  return lists.flatMap((list) => list.slice(0, sizes.get(list)));
}

import "server-only";
import type { ModelPrice as ListedPrice } from "@pydantic/genai-prices";
import type { ProviderOffer } from "@/lib/core/check/offer";
import { parseModel } from "@/lib/core/flow/model-name";
import { factsOf, type ModelOffer, type ModelPrice } from "@/lib/core/flow/model-support";
import { listProviders } from "./model-port";
import { defaultMaxTokens } from "./pricing/catalogue";
import { findEnding } from "./pricing/model-endings";
import { findListed, hasListedPrices, priceList } from "./pricing/prices";

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

/**
 * Models whose provider, name or label hold every word of `query`, providers that can be asked now in front. A whole
 * `provider:model` that no list suggests comes first, with what is known of it.
 */
export function searchModels(
  query: string,
  limit: number,
  offered: readonly ProviderOffer[] = listProviders(),
): ModelOffer[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const providers = offered.toSorted((a, b) => Number(b.available) - Number(a.available));
  const matchingOffers = providers.flatMap(({ id, label, models }) =>
    models
      .map((name) => describeModel(`${id}:${name}`))
      .filter((offer) => {
        const text = `${id}:${offer.name} ${label} ${offer.label ?? ""}`.toLowerCase();
        return words.every((word) => text.includes(word));
      }),
  );
  const { provider, name } = parseModel(query.trim());
  const isWhole = query.includes(":") && name !== "" && providers.some(({ id }) => id === provider);
  const isListed = matchingOffers.some((offer) => offer.provider === provider && offer.name === name);
  return [...(isWhole && !isListed ? [describeModel(query.trim())] : []), ...matchingOffers].slice(0, limit);
}

import { loadPart } from "@/app/_ui/loading/load-part";
import type { Offer, ProviderOffer } from "@/lib/core/check/offer";
import { parseModel } from "@/lib/core/flow/model-name";

type HasPrice = (model: { provider: string; name: string }) => Promise<boolean>;

const hasPriceOnServer: HasPrice = async ({ provider, name }) => {
  const { requestModels } = await loadPart(() => import("../models/request-models"));
  const models = await requestModels(`${provider}:${name}`);
  return models.some((offer) => offer.provider === provider && offer.name === name && offer.price !== undefined);
};

/** Asks the server for unknown models, because the price list is large; null until the answer, then `onReady`. */
export function createPriceCheck(
  providers: readonly ProviderOffer[],
  onReady: () => void,
  hasPrice: HasPrice = hasPriceOnServer,
): NonNullable<Offer["isPriced"]> {
  const answers = new Map<string, boolean | null>();
  const lookUp = (model: string): void => {
    answers.set(model, null);
    hasPrice(parseModel(model)).then(
      (answer) => {
        answers.set(model, answer);
        onReady();
      },
      // The server checks again before a run; the next check here retries.
      () => answers.delete(model),
    );
  };
  return (model) => {
    const { provider: id, name } = parseModel(model);
    const provider = providers.find((offer) => offer.id === id);
    if (!provider?.prices || name === "") return null;
    if (provider.prices !== "listed") return provider.prices === "free";
    if (provider.models.includes(name)) return true;
    if (!answers.has(model)) lookUp(model);
    return answers.get(model) ?? null;
  };
}

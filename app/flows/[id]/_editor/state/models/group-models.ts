import type { ProviderOffer } from "@/lib/core/check/offer";
import type { Flow } from "@/lib/core/flow/flow";
import { parseModel } from "@/lib/core/flow/model-name";
import type { ModelOffer } from "@/lib/core/flow/model-support";
import { factsOf } from "@/lib/core/flow/model-support";
import { toModelText } from "./describe-model";

/** Leads to the connection that the models after it need. */
export interface ConnectChoice {
  connects: string;
  label: string;
}

export type ModelChoice = ModelOffer | ConnectChoice;

export interface ModelGroup {
  heading: string;
  note?: string;
  items: readonly ModelChoice[];
}

export const toChoiceText = (choice: ModelChoice): string =>
  "connects" in choice ? `Connect ${choice.label}…` : toModelText(choice);

export function modelsUsedIn({ agents, controls }: Flow): string[] {
  const routers = [...controls.values()].map((control) => ("model" in control ? control.model : undefined));
  const named = [...agents.values()].flatMap(({ model, fallback_model: fallback }) => [model, fallback]);
  const used = [...named, ...routers].filter((model) => model !== undefined);
  return [...new Set(used.map((model) => toModelText(parseModel(model))))].reverse();
}

/** `offers` may still answer an earlier query, so it is filtered again. A model appears in one group only. */
export function groupModels(
  offers: readonly ModelOffer[],
  used: readonly string[],
  { query, providers }: { query: string; providers: readonly ProviderOffer[] },
): ModelGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const labels = new Map(providers.map(({ id, label }) => [id, label]));
  const fits = (offer: ModelOffer): boolean => {
    const text = `${toModelText(offer)} ${labels.get(offer.provider) ?? ""} ${offer.label ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const offersByName = new Map(offers.map((offer) => [toModelText(offer), offer]));
  const recent = used.map((model) => offersByName.get(model) ?? toBareOffer(model)).filter(fits);
  const isUsed = new Set(recent.map(toModelText));
  const groups = providers.map(({ id, label, available }): ModelGroup => {
    const items = offers.filter((offer) => offer.provider === id && !isUsed.has(toModelText(offer)) && fits(offer));
    if (available || items.length === 0) return { heading: label, items };
    return { heading: label, note: "Not connected", items: [{ connects: id, label }, ...items] };
  });
  return [{ heading: "Used in this flow", items: recent }, ...groups].filter(({ items }) => items.length > 0);
}

const toBareOffer = (model: string): ModelOffer => {
  const { provider, name } = parseModel(model);
  return { provider, name, ...factsOf(provider, name) };
};

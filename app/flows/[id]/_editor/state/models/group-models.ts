import type { ProviderOffer } from "@/lib/core/check/offer";
import type { Flow } from "@/lib/core/flow/flow";
import { parseModel } from "@/lib/core/flow/model-name";
import type { ModelOffer } from "@/lib/core/flow/model-support";
import { factsOf } from "@/lib/core/flow/model-support";
import { toModelText } from "./describe-model";
import { findWholeName, toTypedChoices } from "./typed-model";

/** Leads to the connection that the models after it need. */
export interface ConnectChoice {
  connects: string;
  label: string;
}

/** Shows the groups of providers that are not connected. */
export interface UnfoldChoice {
  unfolds: readonly string[];
}

/** A name that no provider lists. */
export interface TypedChoice {
  uses: string;
}

export type ModelChoice = ModelOffer | ConnectChoice | UnfoldChoice | TypedChoice;

export interface ModelGroup {
  heading: string;
  /** The provider, where the heading is its server. */
  about?: string;
  note?: string;
  items: readonly ModelChoice[];
}

interface GroupOptions {
  query: string;
  providers: readonly ProviderOffer[];
  /** `offers` answer this query, not an earlier one. */
  isCurrent: boolean;
  isUnfolded: boolean;
}

/** A group while its place in the list is still open. */
interface RankedGroup extends ModelGroup {
  items: readonly ModelOffer[];
  type: "used" | "server" | "connected" | "missing";
  provider?: ProviderOffer;
}

export function toChoiceText(choice: ModelChoice): string {
  if ("connects" in choice) return `Connect ${choice.label}…`;
  if ("unfolds" in choice) return `Not connected: ${choice.unfolds.join(", ")}`;
  return "uses" in choice ? choice.uses : toModelText(choice);
}

export function modelsUsedIn({ agents, controls }: Flow): string[] {
  const routers = [...controls.values()].map((control) => ("model" in control ? control.model : undefined));
  const named = [...agents.values()].flatMap(({ model, fallback_model: fallback }) => [model, fallback]);
  const used = [...named, ...routers].filter((model) => model !== undefined);
  return [...new Set(used.map((model) => toModelText(parseModel(model))))].reverse();
}

/**
 * `offers` may still answer an earlier query, so it is filtered again. A model appears in one group only. The first choice
 * for a typed name is the model that it names.
 */
export function groupModels(
  offers: readonly ModelOffer[],
  used: readonly string[],
  options: GroupOptions,
): ModelGroup[] {
  const { query, providers, isCurrent, isUnfolded } = options;
  const whole = findWholeName(query, providers);
  const isNamed = (offer: ModelOffer): boolean => toModelText(offer) === whole || offer.name === query;
  const groups = withoutRepeats(sortGroups(listGroups(offers, used, options), query, isNamed));
  if (groups.length === 0) return isCurrent ? toTypedChoices(query, providers) : [];
  const isFolded = ({ type, items }: RankedGroup): boolean =>
    !isUnfolded && type === "missing" && !items.some((offer) => toModelText(offer) === whole);
  const [folded, shown] = [groups.filter(isFolded), groups.filter((group) => !isFolded(group))];
  if (shown.length === 0) return folded.map((group) => toGroup(group, query));
  const labels = folded.map(({ heading }) => heading);
  return [
    ...shown.map((group) => toGroup(group, query)),
    ...(labels.length > 0 ? [{ heading: "", items: [{ unfolds: labels }] }] : []),
  ];
}

function listGroups(offers: readonly ModelOffer[], used: readonly string[], { query, providers }: GroupOptions) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const labels = new Map(providers.map(({ id, label }) => [id, label]));
  const fits = (offer: ModelOffer): boolean => {
    const names = [toModelText(offer), labels.get(offer.provider), offer.server, offer.label];
    const text = names.filter(Boolean).join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const offersByName = new Map(offers.map((offer) => [toModelText(offer), offer]));
  const toOffer = (model: string): ModelOffer => offersByName.get(model) ?? toBareOffer(model);
  const whole = findWholeName(query, providers);
  const known = whole === null || offersByName.has(whole) ? offers : [toBareOffer(whole), ...offers];
  const ofProviders = providers.map((provider): RankedGroup => {
    const items = known.filter((offer) => offer.provider === provider.id && fits(offer));
    const server = items.find((offer) => offer.server !== undefined)?.server;
    if (!provider.available) return { type: "missing", heading: provider.label, provider, items };
    if (server === undefined) return { type: "connected", heading: provider.label, items };
    return { type: "server", heading: server, about: provider.label, items };
  });
  return [
    { type: "used", heading: "Used in this flow", items: used.map(toOffer).filter(fits) } satisfies RankedGroup,
    ...ofProviders,
  ];
}

const openingOrder = ["used", "server", "connected", "missing"] as const;
const searchOrder = ["server", "used", "connected", "missing"] as const;

function sortGroups(groups: readonly RankedGroup[], query: string, isNamed: (offer: ModelOffer) => boolean) {
  const order = query === "" ? openingOrder : searchOrder;
  const isFirst = ({ items }: RankedGroup): boolean => items.some((offer) => isNamed(offer));
  return groups
    .map((group) => ({ ...group, items: group.items.toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a))) }))
    .toSorted((a, b) => order.indexOf(a.type) - order.indexOf(b.type))
    .toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)));
}

function withoutRepeats(groups: readonly RankedGroup[]): RankedGroup[] {
  const seen = new Set<string>();
  return groups
    .map((group) => {
      const items = group.items.filter((offer) => !seen.has(toModelText(offer)));
      for (const offer of items) seen.add(toModelText(offer));
      return { ...group, items };
    })
    .filter(({ items }) => items.length > 0);
}

/** While searching, the connection comes last: Enter takes the first choice. */
function toGroup({ heading, about, provider, items }: RankedGroup, query: string): ModelGroup {
  if (!provider) return about === undefined ? { heading, items } : { heading, about, items };
  const connect = { connects: provider.id, label: provider.label };
  return { heading, note: "Not connected", items: query === "" ? [connect, ...items] : [...items, connect] };
}

const toBareOffer = (model: string): ModelOffer => {
  const { provider, name } = parseModel(model);
  return { provider, name, ...factsOf(provider, name) };
};

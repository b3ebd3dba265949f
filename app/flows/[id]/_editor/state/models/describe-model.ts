import { formatCount } from "@/lib/core/flow/format-count";
import type { ModelOffer, ModelPrice, ModelSupport } from "@/lib/core/flow/model-support";

export const toModelText = ({ provider, name }: Pick<ModelOffer, "provider" | "name">): string => `${provider}:${name}`;

export function formatWindow(tokens: number): string {
  if (tokens < 1000) return formatCount(tokens);
  if (tokens < 1_000_000) return `${Math.round(tokens / 1000)}k`;
  return `${Number((tokens / 1_000_000).toFixed(2))}M`;
}

const toDollars = (price: number): string => `$${Number(price.toFixed(4))}`;

export const formatPrice = ({ input, output }: ModelPrice): string =>
  `${toDollars(input)} in, ${toDollars(output)} out`;

export const describeBriefly = (offer: ModelOffer, provider: string): string[] =>
  [
    offer.provider === "demo" ? "simulated, free" : provider,
    offer.context === undefined ? "" : `${formatWindow(offer.context)} context`,
    offer.price ? `${formatPrice(offer.price)} per million` : "",
  ].filter(Boolean);

const abilities: readonly (readonly [keyof ModelSupport, string])[] = [
  ["tools", "tools"],
  ["structuredOutput", "structured output"],
  ["temperature", "temperature"],
  ["reasoning", "reasoning"],
  ["vision", "vision"],
];

export function describeFacts(offer: ModelOffer): [name: string, value: string][] {
  const { context, maxOutput, price, supports, ending } = offer;
  const listed = (isSupported: boolean | undefined): string =>
    abilities.flatMap(([ability, words]) => (supports[ability] === isSupported ? [words] : [])).join(", ");
  const countTokens = (count: number | undefined): string =>
    count === undefined ? "unknown" : `${formatCount(count)} tokens`;
  const rises = price?.risesAbove === undefined ? "" : `; more above ${formatCount(price.risesAbove)} tokens`;
  const cached = price?.cached === undefined ? "" : `, ${toDollars(price.cached)} cached`;
  const rows: [string, string][] = [
    ["Context", countTokens(context)],
    ["Max output", countTokens(maxOutput)],
    ["Per million tokens", price ? `${formatPrice(price)}${cached}${rises}` : "unknown"],
    ["Prices as of", price?.asOf ?? ""],
    ["Ends on", ending ? [ending.on, ending.next && `then ${ending.next}`].filter(Boolean).join(", ") : ""],
    ["Supports", listed(true)],
    ["Does not support", listed(false)],
    ["Unknown", listed(undefined)],
  ];
  return rows.filter(([, value]) => value !== "");
}

import type { ProviderOffer } from "@/lib/core/check/offer";
import { parseModel } from "@/lib/core/flow/model-name";
import type { ModelOffer } from "@/lib/core/flow/model-support";
import { toModelText } from "./describe-model";

/** A typed `provider:model` of a known provider; null: the text is something else. */
export function findWholeName(typed: string, providers: readonly ProviderOffer[]): string | null {
  const { provider, name } = parseModel(typed);
  return typed.includes(":") && name !== "" && providers.some(({ id }) => id === provider) ? typed : null;
}

/** A single name without a provider. Names of local servers may have a colon, e.g. `qwen3:8b`. */
const isBareName = (typed: string): boolean => /^[^\s${}]+$/.test(typed);

const bareNameProviders = ["compatible", "openai"];

/** For a name that no provider lists: the connected providers that take any name. */
export function toTypedChoices(typed: string, providers: readonly ProviderOffer[]) {
  if (!isBareName(typed)) return [];
  const items = bareNameProviders
    .filter((id) => providers.some((provider) => provider.id === id && provider.available))
    .map((id) => ({ uses: `${id}:${typed}` }));
  return items.length === 0 ? [] : [{ heading: `No provider lists ${typed}`, items }];
}

/** The text to write for a typed one: a bare name that only a connected server has is the model of that server. */
export function toWrittenModel(typed: string, offers: readonly ModelOffer[]): string {
  const text = typed.trim();
  const named = offers.filter(({ name }) => name === text);
  const reported = named.find(({ server }) => server !== undefined);
  return reported && !named.some(({ provider }) => provider === "openai") ? toModelText(reported) : text;
}

export function describeNoMatch(typed: string, state: "ok" | "loading" | "failed"): string {
  if (state === "failed") return "The list of models could not be loaded. You can still type a name.";
  if (state === "loading") return "Searching…";
  if (!isBareName(typed)) return "No model matches. Press Enter to use the text as typed.";
  return `No provider lists ${typed}. Press Enter to use ${toModelText(parseModel(typed))}.`;
}

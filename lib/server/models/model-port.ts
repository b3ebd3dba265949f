import "server-only";
import type { ProviderOffer } from "@/lib/core/check/offer";
import { parseModel } from "@/lib/core/flow/model-name";
import type { Model, ModelPort } from "@/lib/core/run/ports/model";
import { getEnv } from "../env";
import { createDemoModel } from "./demo/demo";
import { Limiter, type ProviderLimits } from "./limiter";
import { suggestModels } from "./pricing/catalogue";
import { findPrice, hasListedPrices, type ListedProvider } from "./pricing/prices";
import { createAnthropicModel } from "./providers/anthropic";
import { createCompatibleModel } from "./providers/compatible";
import { createGoogleModel } from "./providers/google";
import { createOpenAiModel } from "./providers/openai";

/** The environment variables of the providers; the variables are named as the providers' SDKs name them. */
export interface ProviderEnv {
  OPENAI_API_KEY?: string | undefined;
  OPENAI_BASE_URL?: string | undefined;
  ANTHROPIC_API_KEY?: string | undefined;
  ANTHROPIC_BASE_URL?: string | undefined;
  GEMINI_API_KEY?: string | undefined;
  GOOGLE_GEMINI_BASE_URL?: string | undefined;
  COMPATIBLE_BASE_URL?: string | undefined;
  COMPATIBLE_API_KEY?: string | undefined;
  SWARMLOOM_DEMO_SPEED?: number | undefined;
  SWARMLOOM_LIMITS?: ReadonlyMap<string, ProviderLimits> | undefined;
}

interface Provider {
  label: string;
  models: readonly string[];
  /** The variable without which the provider cannot be asked. */
  needs?: keyof ProviderEnv;
  /** Its servers may not heed a schema for answers. */
  schemaByPrompt?: boolean;
  connect(env: ProviderEnv): Model;
  /** What its calls cost: nothing, or what a list gives for its own service; missing: unknown. */
  prices?: "free" | { list: ListedProvider; baseUrl: (env: ProviderEnv) => string | undefined };
}

const demoModels = ["assistant", "planner", "researcher", "critic", "writer", "summariser"];

/** Every provider, by the word before the colon of a model. */
const providers = {
  demo: {
    label: "Demo (simulated, needs no key)",
    models: demoModels,
    prices: "free",
    connect: (env) => createDemoModel(env.SWARMLOOM_DEMO_SPEED ?? 1),
  },
  openai: {
    label: "OpenAI",
    models: suggestModels("openai"),
    needs: "OPENAI_API_KEY",
    prices: { list: "openai", baseUrl: (env) => env.OPENAI_BASE_URL || undefined },
    connect: (env) => createOpenAiModel({ apiKey: env.OPENAI_API_KEY, baseUrl: env.OPENAI_BASE_URL || undefined }),
  },
  anthropic: {
    label: "Anthropic",
    models: suggestModels("anthropic"),
    needs: "ANTHROPIC_API_KEY",
    prices: { list: "anthropic", baseUrl: (env) => env.ANTHROPIC_BASE_URL || undefined },
    connect: (env) =>
      createAnthropicModel({ apiKey: env.ANTHROPIC_API_KEY, baseUrl: env.ANTHROPIC_BASE_URL || undefined }),
  },
  google: {
    label: "Google Gemini",
    models: suggestModels("google"),
    needs: "GEMINI_API_KEY",
    prices: { list: "google", baseUrl: (env) => env.GOOGLE_GEMINI_BASE_URL || undefined },
    connect: (env) =>
      createGoogleModel({ apiKey: env.GEMINI_API_KEY, baseUrl: env.GOOGLE_GEMINI_BASE_URL || undefined }),
  },
  compatible: {
    label: "OpenAI-compatible server",
    models: [],
    needs: "COMPATIBLE_BASE_URL",
    schemaByPrompt: true,
    connect: (env) => createCompatibleModel({ apiKey: env.COMPATIBLE_API_KEY, baseUrl: env.COMPATIBLE_BASE_URL }),
  },
} satisfies Record<string, Provider>;

export type ProviderId = keyof typeof providers;

const byId = new Map<string, Provider>(Object.entries(providers));

const isAvailable = ({ needs }: Provider, env: ProviderEnv): boolean => needs === undefined || Boolean(env[needs]);

const pricesIn = ({ prices }: Provider, env: ProviderEnv): NonNullable<ProviderOffer["prices"]> => {
  if (prices === "free") return "free";
  return prices && hasListedPrices(prices.list, prices.baseUrl(env)) ? "listed" : "unknown";
};

/** What tokens of a model cost in this environment; null: unknown. */
function findPriceIn(
  env: ProviderEnv,
  { prices }: Provider,
  name: string,
  { input, output }: { input: number; output: number },
): number | null {
  if (prices === "free") return 0;
  if (!prices || !hasListedPrices(prices.list, prices.baseUrl(env))) return null;
  return findPrice(prices.list, name, { input, output, cached: 0, cacheWrite: 0, reasoning: 0 });
}

/** Whether a `provider:model` has a known price in this environment; null when there is no such provider or no name. */
export function isPricedIn(env: ProviderEnv, model: string): boolean | null {
  const { provider: id, name } = parseModel(model);
  const provider = byId.get(id);
  if (!provider || name === "") return null;
  return findPriceIn(env, provider, name, { input: 1, output: 1 }) !== null;
}

/** The providers that can be called in this environment, and the variable that each of the others lacks. Calls none. */
export const listProvidersIn = (env: ProviderEnv): ProviderOffer[] =>
  [...byId].map(([id, provider]) => ({
    id,
    label: provider.label,
    available: isAvailable(provider, env),
    ...(!isAvailable(provider, env) && provider.needs && { missing: provider.needs }),
    models: provider.models,
    prices: pricesIn(provider, env),
  }));

/** Finds models in this environment. Null: an unknown provider, no model name, or a missing key. Limits hold for all that it finds. */
export function createModelPort(env: ProviderEnv): ModelPort {
  const limiters = new Map([...(env.SWARMLOOM_LIMITS ?? [])].map(([id, limits]) => [id, new Limiter(limits)]));
  return {
    find(text) {
      const { provider: id, name } = parseModel(text);
      const provider = byId.get(id);
      if (!provider || name === "" || !isAvailable(provider, env)) return null;
      const limiter = limiters.get(id);
      return {
        model: provider.connect(env),
        name,
        provider: id,
        priceOf: (tokens) => findPriceIn(env, provider, name, tokens),
        ...(limiter && { admit: (signal: AbortSignal) => limiter.admit(signal) }),
        ...(provider.schemaByPrompt && { schemaByPrompt: true }),
      };
    },
  };
}

export const listProviders = (): ProviderOffer[] => listProvidersIn(getEnv());

let port: ModelPort | undefined;

/** The models of this process's environment. */
export const modelPort: ModelPort = {
  find(model) {
    port ??= createModelPort(getEnv());
    return port.find(model);
  },
};

/** The model of agents that have none: the configured one, else the first of a provider that can be asked. */
export function findDefaultModel(): string {
  const { SWARMLOOM_MODEL: configured } = getEnv();
  if (configured !== undefined) return configured;
  const usable = listProviders().filter(({ available, models }) => available && models.length > 0);
  const chosen = usable.find(({ id }) => id !== "demo") ?? usable[0];
  return `${chosen?.id ?? "demo"}:${chosen?.models[0] ?? "assistant"}`;
}

import "server-only";
import type { ProviderOffer } from "@/lib/core/check/offer";
import { parseModel } from "@/lib/core/flow/model-name";
import type { Model, ModelPort } from "@/lib/core/run/ports/model";
import { type Env, getEnv } from "../env";
import type { ProviderConnection } from "./call/call";
import { createDemoModel } from "./demo/demo";
import { Limiter } from "./limiter";
import { suggestModels } from "./pricing/catalogue";
import { findPrice, hasListedPrices } from "./pricing/prices";
import { createAnthropicModel } from "./providers/anthropic";
import { createCompatibleModel } from "./providers/compatible";
import { createGoogleModel } from "./providers/google";
import { createOpenAiModel } from "./providers/openai";

/** The variables of providers are named as the providers' SDKs name them. */
type TextVariable = keyof Env & `${string}_${"API_KEY" | "BASE_URL"}`;

interface Provider {
  label: string;
  models: readonly string[];
  /** The variables of its key and of its address, and the one without which it cannot be asked; missing: its key. */
  key?: TextVariable;
  url?: TextVariable;
  needs?: TextVariable;
  /** Its servers may not heed a schema for answers. */
  schemaByPrompt?: boolean;
  /** Its calls cost nothing. */
  isFree?: boolean;
  create(connection: ProviderConnection, env: Partial<Env>): Model;
}

/** Every provider, by the word before the colon of a model. */
const providers = new Map<string, Provider>(
  Object.entries({
    demo: {
      label: "Demo (simulated, needs no key)",
      models: ["assistant", "planner", "researcher", "critic", "writer", "summariser"],
      isFree: true,
      create: (_, env) => createDemoModel(env.SWARMLOOM_DEMO_SPEED ?? 1),
    },
    openai: {
      label: "OpenAI",
      models: suggestModels("openai"),
      key: "OPENAI_API_KEY",
      url: "OPENAI_BASE_URL",
      create: createOpenAiModel,
    },
    anthropic: {
      label: "Anthropic",
      models: suggestModels("anthropic"),
      key: "ANTHROPIC_API_KEY",
      url: "ANTHROPIC_BASE_URL",
      create: createAnthropicModel,
    },
    google: {
      label: "Google Gemini",
      models: suggestModels("google"),
      key: "GEMINI_API_KEY",
      url: "GOOGLE_GEMINI_BASE_URL",
      create: createGoogleModel,
    },
    compatible: {
      label: "OpenAI-compatible server",
      models: [],
      key: "COMPATIBLE_API_KEY",
      url: "COMPATIBLE_BASE_URL",
      needs: "COMPATIBLE_BASE_URL",
      schemaByPrompt: true,
      create: createCompatibleModel,
    },
  } satisfies Record<string, Provider>),
);

const addressIn = ({ url }: Provider, env: Partial<Env>): string | undefined => (url && env[url]) || undefined;

/** The variable that a provider lacks in this environment; undefined: it can be asked. */
const findMissing = ({ key, needs = key }: Provider, env: Partial<Env>): TextVariable | undefined =>
  needs && !env[needs] ? needs : undefined;

const pricesIn = (id: string, provider: Provider, env: Partial<Env>): NonNullable<ProviderOffer["prices"]> => {
  if (provider.isFree) return "free";
  return hasListedPrices(id, addressIn(provider, env)) ? "listed" : "unknown";
};

/** A model of this environment, and what its tokens cost (null: unknown). Null: an unknown provider, or no model name. */
function findIn(env: Partial<Env>, model: string) {
  const { provider: id, name } = parseModel(model);
  const provider = providers.get(id);
  if (!provider || name === "") return null;
  const prices = pricesIn(id, provider, env);
  const priceOf = (tokens: { input: number; output: number }): number | null => {
    if (prices !== "listed") return prices === "free" ? 0 : null;
    return findPrice(id, name, { ...tokens, cached: 0, cacheWrite: 0, reasoning: 0 });
  };
  return { id, name, provider, priceOf };
}

/** Whether a `provider:model` has a known price in this environment; null when there is no such provider or no name. */
export function isPricedIn(env: Partial<Env>, text: string): boolean | null {
  const model = findIn(env, text);
  return model && model.priceOf({ input: 1, output: 1 }) !== null;
}

/** The providers that can be called in this environment, and the variable that each of the others lacks. Calls none. */
export const listProviders = (env: Partial<Env> = getEnv()): ProviderOffer[] =>
  [...providers].map(([id, provider]) => {
    const { label, models } = provider;
    const missing = findMissing(provider, env);
    return { id, label, available: !missing, ...(missing && { missing }), models, prices: pricesIn(id, provider, env) };
  });

/** Finds models in this environment. Null: an unknown provider, no model name, or a missing key. Limits hold for all that it finds. */
export function createModelPort(env: Partial<Env>): ModelPort {
  const limiters = new Map([...(env.SWARMLOOM_LIMITS ?? [])].map(([id, limits]) => [id, new Limiter(limits)]));
  return {
    find(text) {
      const model = findIn(env, text);
      if (!model || findMissing(model.provider, env)) return null;
      const { id, name, provider, priceOf } = model;
      const limiter = limiters.get(id);
      const apiKey = provider.key && env[provider.key];
      return {
        model: provider.create({ apiKey, baseUrl: addressIn(provider, env) }, env),
        name,
        provider: id,
        priceOf,
        ...(limiter && { admit: (signal: AbortSignal) => limiter.admit(signal) }),
        ...(provider.schemaByPrompt && { schemaByPrompt: true }),
      };
    },
  };
}

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

import "server-only";
import type { ProviderOffer } from "@/lib/core/check/offer";
import { parseModel } from "@/lib/core/flow/model-name";
import type { Model, ModelPort } from "@/lib/core/run/ports/model";
import { type Env, getEnv } from "../env";
import type { Reach } from "../net/connectable";
import type { ProviderConnection } from "./call/call";
import { listModels, type ModelList, type ModelListRequest } from "./call/list-models";
import { createDemoModel } from "./demo/demo";
import { Limiter, type ProviderLimits } from "./limiter";
import { suggestModels } from "./pricing/catalogue";
import { listEndings } from "./pricing/model-endings";
import { findPrice, hasListedPrices } from "./pricing/prices";
import { anthropicUrl, createAnthropicModel } from "./providers/anthropic";
import { createCompatibleModel } from "./providers/compatible";
import { createGoogleModel, googleUrl } from "./providers/google";
import { createOpenAiModel, openAiUrl } from "./providers/openai";

/** Where a provider is asked, and with which key, as it was entered in the app: it takes the place of the environment's. */
export interface EnteredConnection {
  /** Empty: none. */
  apiKey: string;
  /** Empty: the provider's own address. */
  baseUrl: string;
  /** How far it reaches. */
  reach: Reach;
  /** Why it cannot be used, in one sentence. */
  problem?: string;
  /** Called when a model is asked through it. */
  onUse?(): void;
}

/** What was entered in the app, by provider. */
export type EnteredConnections = ReadonlyMap<string, EnteredConnection>;

const nothingEntered: EnteredConnections = new Map();

/** The variables of providers are named as the providers' SDKs name them. */
type TextVariable = keyof Env & `${string}_${"API_KEY" | "BASE_URL"}`;

interface Provider {
  label: string;
  models: readonly string[];
  /** The variables of its key and of its address, and the one without which it cannot be asked; missing: its key. */
  key?: TextVariable;
  url?: TextVariable;
  needs?: TextVariable;
  /** Its own address. */
  ownUrl?: string;
  /** Its servers may not heed a schema for answers. */
  schemaByPrompt?: boolean;
  /** Its calls cost nothing. */
  isFree?: boolean;
  create(connection: ProviderConnection, env: Partial<Env>): Model;
  /** Where it lists its models. */
  list?(apiKey: string, baseUrl: string): ModelListRequest;
}

const listWithBearer = (key: string, url: string): ModelListRequest => ({
  url: `${url}/models`,
  headers: key === "" ? {} : { authorization: `Bearer ${key}` },
});

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
      ownUrl: openAiUrl,
      list: listWithBearer,
      create: createOpenAiModel,
    },
    anthropic: {
      label: "Anthropic",
      models: suggestModels("anthropic"),
      key: "ANTHROPIC_API_KEY",
      url: "ANTHROPIC_BASE_URL",
      ownUrl: anthropicUrl,
      list: (key, url) => ({
        url: `${url}/v1/models?limit=200`,
        headers: { "x-api-key": key, "anthropic-version": "2023-06-01" },
      }),
      create: createAnthropicModel,
    },
    google: {
      label: "Google Gemini",
      models: suggestModels("google"),
      key: "GEMINI_API_KEY",
      url: "GOOGLE_GEMINI_BASE_URL",
      ownUrl: googleUrl,
      list: (key, url) => ({ url: `${url}/v1beta/models?pageSize=200`, headers: { "x-goog-api-key": key } }),
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
      list: listWithBearer,
    },
  } satisfies Record<string, Provider>),
);

/** A provider as it is asked now. */
interface ProviderAccess {
  apiKey: string | undefined;
  baseUrl: string | undefined;
  entered: EnteredConnection | undefined;
  /** The variable that it lacks; undefined: it can be asked. */
  missing: TextVariable | undefined;
}

/** A connection that was entered holds as a whole: no key of the environment goes to an address that it does not name. */
function findAccess(id: string, provider: Provider, env: Partial<Env>, allEntered: EnteredConnections): ProviderAccess {
  const { key, url, needs = key } = provider;
  const entered = allEntered.get(id);
  const apiKey = (entered ? entered.apiKey : key && env[key]) || undefined;
  const baseUrl = (entered ? entered.baseUrl : url && env[url]) || undefined;
  const isMissing = needs !== undefined && (entered?.problem !== undefined || !(needs === key ? apiKey : baseUrl));
  return { apiKey, baseUrl, entered, missing: isMissing ? needs : undefined };
}

const pricesOf = (id: string, { isFree }: Provider, baseUrl?: string): NonNullable<ProviderOffer["prices"]> => {
  if (isFree) return "free";
  return hasListedPrices(id, baseUrl) ? "listed" : "unknown";
};

/** A model of this environment, and what its tokens cost (null: unknown). Null: an unknown provider, or no model name. */
function findIn(env: Partial<Env>, model: string, entered: EnteredConnections) {
  const { provider: id, name } = parseModel(model);
  const provider = providers.get(id);
  if (!provider || name === "") return null;
  const access = findAccess(id, provider, env, entered);
  const prices = pricesOf(id, provider, access.baseUrl);
  const priceOf = (tokens: { input: number; output: number }): number | null => {
    if (prices !== "listed") return prices === "free" ? 0 : null;
    return findPrice(id, name, { ...tokens, cached: 0, cacheWrite: 0, reasoning: 0 });
  };
  return { id, name, provider, access, priceOf };
}

/** Whether a `provider:model` has a known price in this environment; null when there is no such provider or no name. */
export function isPricedIn(env: Partial<Env>, text: string, entered = nothingEntered): boolean | null {
  const model = findIn(env, text, entered);
  return model && model.priceOf({ input: 1, output: 1 }) !== null;
}

/** The providers that can be called in this environment, and the variable that each of the others lacks. Calls none. */
export const listProviders = (env: Partial<Env> = getEnv(), allEntered = nothingEntered): ProviderOffer[] =>
  [...providers].map(([id, provider]) => {
    const { label, ownUrl } = provider;
    const { missing, baseUrl, entered } = findAccess(id, provider, env, allEntered);
    const today = new Date().toISOString().slice(0, 10);
    // Another address may serve models for longer.
    const endings = baseUrl === undefined || baseUrl === ownUrl ? listEndings(id, today) : [];
    const over = new Set(endings.filter(({ isOver }) => isOver).map(({ model }) => model));
    return {
      id,
      label,
      available: !missing,
      ...(missing && { missing }),
      ...(entered?.problem !== undefined && { problem: entered.problem }),
      models: provider.models.filter((model) => !over.has(model)),
      prices: pricesOf(id, provider, baseUrl),
      ...(endings.length > 0 && { endings }),
    };
  });

/** Limits hold for all models of a process, whatever is entered meanwhile. */
const limitersOf = new WeakMap<ReadonlyMap<string, ProviderLimits>, ReadonlyMap<string, Limiter>>();

function findLimiters(limits: ReadonlyMap<string, ProviderLimits>): ReadonlyMap<string, Limiter> {
  const limiters = limitersOf.get(limits) ?? new Map([...limits].map(([id, limit]) => [id, new Limiter(limit)]));
  limitersOf.set(limits, limiters);
  return limiters;
}

/** The limiters of all calls that this environment's limits apply to, by provider. */
export const listLimiters = (env: Partial<Env>): ReadonlyMap<string, Limiter> =>
  findLimiters(env.SWARMLOOM_LIMITS ?? new Map());

declare global {
  /** Those of the process that drives runs. Global because the bundles of a process share them; undefined before the services have started. */
  var swarmloomLimiters: ReadonlyMap<string, Limiter> | undefined;
}

/** Finds models in this environment. Null: an unknown provider, no model name, or a missing key. Limits hold for all that it finds. */
export function createModelPort(env: Partial<Env>, entered = nothingEntered): ModelPort {
  const limiters = findLimiters(env.SWARMLOOM_LIMITS ?? new Map());
  return {
    find(text) {
      const model = findIn(env, text, entered);
      if (!model || model.access.missing) return null;
      const { id, name, provider, access, priceOf } = model;
      const { apiKey, baseUrl } = access;
      const limiter = limiters.get(id);
      const created = provider.create({ apiKey, baseUrl, reach: access.entered?.reach ?? "anywhere" }, env);
      const { onUse } = access.entered ?? {};
      return {
        model: onUse ? withUse(created, onUse) : created,
        name,
        provider: id,
        priceOf,
        ...(limiter && { admit: (signal: AbortSignal) => limiter.admit(signal) }),
        ...(provider.schemaByPrompt && { schemaByPrompt: true }),
      };
    },
  };
}

/**
 * The models that a provider declares at a connection; null: it has no list.
 * @throws Error when it does not answer; it contains no key.
 */
export async function listDeclaredModels(
  id: string,
  connection: ProviderConnection,
  signal: AbortSignal,
): Promise<ModelList | null> {
  const provider = providers.get(id);
  if (!provider?.list) return null;
  const { apiKey = "", baseUrl = provider.ownUrl ?? "" } = connection;
  return listModels(provider.list(apiKey, baseUrl.replace(/\/+$/, "")), connection, signal);
}

/**
 * The connected servers that serve models of their own: those at another address than their provider's, whose models our
 * lists do not have.
 */
export const listModelServers = (env: Partial<Env>, allEntered = nothingEntered) =>
  [...providers].flatMap(([id, provider]) => {
    const { missing, apiKey = "", baseUrl, entered } = findAccess(id, provider, env, allEntered);
    if (missing || !provider.list || baseUrl === undefined || baseUrl === provider.ownUrl) return [];
    if (!URL.canParse(baseUrl)) return [];
    return [
      {
        id,
        host: new URL(baseUrl).host,
        connection: { apiKey, baseUrl, reach: entered?.reach ?? ("anywhere" as const) },
      },
    ];
  });

const withUse = (model: Model, onUse: () => void): Model => ({
  stream(request) {
    onUse();
    return model.stream(request);
  },
});

/** A provider that can be connected: what it needs, and where it is asked unless an address is given. */
export interface ConnectionKind {
  id: string;
  label: string;
  /** The variables of the environment that connect it, too. */
  keyVariable: TextVariable;
  urlVariable: TextVariable;
  /** The provider's own address; null: it has none, and one must be given. */
  ownUrl: string | null;
  needsKey: boolean;
}

/** The providers that can be connected. */
export const connectionKinds: readonly ConnectionKind[] = [...providers].flatMap(([id, provider]) => {
  const { label, key, url, needs = key, ownUrl = null } = provider;
  if (key === undefined || url === undefined) return [];
  return [{ id, label, keyVariable: key, urlVariable: url, ownUrl, needsKey: needs === key }];
});

/** The model of agents that have none: the configured one, else the first of a provider that can be asked. */
export function findDefaultModel(offered: readonly ProviderOffer[]): string {
  const { SWARMLOOM_MODEL: configured } = getEnv();
  if (configured !== undefined) return configured;
  const usable = offered.filter(({ available, models }) => available && models.length > 0);
  const chosen = usable.find(({ id }) => id !== "demo") ?? usable[0];
  return `${chosen?.id ?? "demo"}:${chosen?.models[0] ?? "assistant"}`;
}

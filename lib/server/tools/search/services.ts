import "server-only";
import { isObject } from "../../models/json";
import { askService, type SearchPort, toResults } from "./search-port";

/** The environment variables of the search services. */
export interface SearchEnv {
  SWARMLOOM_SEARCH?: SearchService | undefined;
  TAVILY_API_KEY?: string | undefined;
  TAVILY_BASE_URL?: string | undefined;
  BRAVE_API_KEY?: string | undefined;
  BRAVE_BASE_URL?: string | undefined;
  SEARXNG_URL?: string | undefined;
}

/** Tavily's search (docs.tavily.com, POST /search). */
const createTavily = (key: string, baseUrl = "https://api.tavily.com"): SearchPort => ({
  async search(query, count, signal) {
    const answer = await askService(
      {
        service: "Tavily",
        baseUrl,
        urlVariable: "TAVILY_BASE_URL",
        path: "/search",
        headers: { authorization: `Bearer ${key}` },
        body: { query, max_results: count },
        secret: key,
      },
      signal,
    );
    return toResults(answer.results, "content", count);
  },
});

/** Brave's web search (api-dashboard.search.brave.com, GET /res/v1/web/search). */
const createBrave = (key: string, baseUrl = "https://api.search.brave.com"): SearchPort => ({
  async search(query, count, signal) {
    const answer = await askService(
      {
        service: "Brave",
        baseUrl,
        urlVariable: "BRAVE_BASE_URL",
        path: "/res/v1/web/search",
        query: { q: query, count: String(count), text_decorations: "false" },
        headers: { "x-subscription-token": key },
        secret: key,
      },
      signal,
    );
    return toResults(isObject(answer.web) ? answer.web.results : [], "description", count);
  },
});

/** A SearXNG server (docs.searxng.org, GET /search); its settings must allow the format json. */
const createSearxng = (baseUrl: string): SearchPort => ({
  async search(query, count, signal) {
    const answer = await askService(
      { service: "SearXNG", baseUrl, urlVariable: "SEARXNG_URL", path: "/search", query: { q: query, format: "json" } },
      signal,
    );
    return toResults(answer.results, "content", count);
  },
});

interface Service {
  /** The variable without which the service cannot be asked. */
  needs: keyof SearchEnv;
  connect(env: SearchEnv): SearchPort;
}

const services = {
  tavily: {
    needs: "TAVILY_API_KEY",
    connect: (env) => createTavily(env.TAVILY_API_KEY ?? "", env.TAVILY_BASE_URL),
  },
  brave: { needs: "BRAVE_API_KEY", connect: (env) => createBrave(env.BRAVE_API_KEY ?? "", env.BRAVE_BASE_URL) },
  searxng: { needs: "SEARXNG_URL", connect: (env) => createSearxng(env.SEARXNG_URL ?? "") },
} satisfies Record<string, Service>;

export type SearchService = keyof typeof services;

/** The variables of which one must be set, or the one that the chosen service lacks; null when search is set up. */
export function findMissing(env: SearchEnv): string | null {
  const { SWARMLOOM_SEARCH: chosen } = env;
  const candidates: Service[] = chosen ? [services[chosen]] : Object.values(services);
  if (candidates.some(({ needs }) => env[needs])) return null;
  return candidates.map(({ needs }) => needs).join(" or ");
}

/** The service that the environment chooses, else the first one that is set up. Null: none is. */
export function findSearch(env: SearchEnv): SearchPort | null {
  const { SWARMLOOM_SEARCH: chosen } = env;
  const candidates: Service[] = chosen ? [services[chosen]] : Object.values(services);
  return candidates.find(({ needs }) => env[needs])?.connect(env) ?? null;
}

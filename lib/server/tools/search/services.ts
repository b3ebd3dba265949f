import "server-only";
import type { Env } from "../../env";
import { isObject } from "../../models/json";
import { askService, type SearchPort, toResults } from "./search-port";

/** The environment variables of the search services. */
export type SearchEnv = Partial<Env>;

/** Tavily's search (docs.tavily.com, POST /search). */
const createTavily =
  (key: string, baseUrl = "https://api.tavily.com"): SearchPort =>
  async (query, count, signal) => {
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
  };

/** Brave's web search (api-dashboard.search.brave.com, GET /res/v1/web/search). */
const createBrave =
  (key: string, baseUrl = "https://api.search.brave.com"): SearchPort =>
  async (query, count, signal) => {
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
  };

/** A SearXNG server (docs.searxng.org, GET /search); its settings must allow the format json. */
const createSearxng =
  (baseUrl: string): SearchPort =>
  async (query, count, signal) => {
    const answer = await askService(
      { service: "SearXNG", baseUrl, urlVariable: "SEARXNG_URL", path: "/search", query: { q: query, format: "json" } },
      signal,
    );
    return toResults(answer.results, "content", count);
  };

interface SearchService {
  /** The variable without which the service cannot be asked. */
  needs: keyof SearchEnv;
  connect(env: SearchEnv): SearchPort;
}

const services: Record<NonNullable<Env["SWARMLOOM_SEARCH"]>, SearchService> = {
  tavily: {
    needs: "TAVILY_API_KEY",
    connect: (env) => createTavily(env.TAVILY_API_KEY ?? "", env.TAVILY_BASE_URL),
  },
  brave: { needs: "BRAVE_API_KEY", connect: (env) => createBrave(env.BRAVE_API_KEY ?? "", env.BRAVE_BASE_URL) },
  searxng: { needs: "SEARXNG_URL", connect: (env) => createSearxng(env.SEARXNG_URL ?? "") },
};

/** The service that the environment chooses, else all. */
const listCandidates = ({ SWARMLOOM_SEARCH: chosen }: SearchEnv): SearchService[] =>
  chosen ? [services[chosen]] : Object.values(services);

/** The variables of which one must be set, or the one that the chosen service lacks; null when search is set up. */
export function findMissing(env: SearchEnv): string | null {
  const candidates = listCandidates(env);
  if (candidates.some(({ needs }) => env[needs])) return null;
  return candidates.map(({ needs }) => needs).join(" or ");
}

/** The service that the environment chooses, else the first one that is set up. Null: none is. */
export const findSearch = (env: SearchEnv): SearchPort | null =>
  listCandidates(env)
    .find(({ needs }) => env[needs])
    ?.connect(env) ?? null;

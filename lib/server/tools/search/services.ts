import "server-only";
import type { Env } from "../../env";
import { isObject, type JsonObject } from "../../models/json";
import { askService, type SearchPort, type SearchRequest, type SearchResult, toResults } from "./search-port";

interface SearchService {
  /** The variable without which the service cannot be asked. */
  needs: "TAVILY_API_KEY" | "BRAVE_API_KEY" | "SEARXNG_URL";
  toRequest(env: Partial<Env>, query: string, count: number): SearchRequest;
  readResults(answer: JsonObject): SearchResult[];
}

const services: Record<NonNullable<Env["SWARMLOOM_SEARCH"]>, SearchService> = {
  /** Tavily's search (docs.tavily.com, POST /search). */
  tavily: {
    needs: "TAVILY_API_KEY",
    toRequest: ({ TAVILY_API_KEY: key, TAVILY_BASE_URL: baseUrl = "https://api.tavily.com" }, query, count) => ({
      service: "Tavily",
      baseUrl,
      urlVariable: "TAVILY_BASE_URL",
      path: "/search",
      headers: { authorization: `Bearer ${key}` },
      body: { query, max_results: count },
      secret: key,
    }),
    readResults: ({ results }) => toResults(results, "content"),
  },
  /** Brave's web search (api-dashboard.search.brave.com, GET /res/v1/web/search). */
  brave: {
    needs: "BRAVE_API_KEY",
    toRequest: ({ BRAVE_API_KEY: key = "", BRAVE_BASE_URL: baseUrl = "https://api.search.brave.com" }, q, count) => ({
      service: "Brave",
      baseUrl,
      urlVariable: "BRAVE_BASE_URL",
      path: "/res/v1/web/search",
      query: { q, count: String(count), text_decorations: "false" },
      headers: { "x-subscription-token": key },
      secret: key,
    }),
    readResults: ({ web }) => toResults(isObject(web) ? web.results : [], "description"),
  },
  /** A SearXNG server (docs.searxng.org, GET /search); its settings must allow the format json. */
  searxng: {
    needs: "SEARXNG_URL",
    toRequest: ({ SEARXNG_URL: baseUrl = "" }, q) => ({
      service: "SearXNG",
      baseUrl,
      urlVariable: "SEARXNG_URL",
      path: "/search",
      query: { q, format: "json" },
    }),
    readResults: ({ results }) => toResults(results, "content"),
  },
};

/** The service that the environment chooses, else all. */
const listCandidates = ({ SWARMLOOM_SEARCH: chosen }: Partial<Env>): SearchService[] =>
  chosen ? [services[chosen]] : Object.values(services);

/** The variables of which one must be set, or the one that the chosen service lacks; null when search is set up. */
export function findMissing(env: Partial<Env>): string | null {
  const candidates = listCandidates(env).map(({ needs }) => needs);
  return candidates.some((variable) => env[variable]) ? null : candidates.join(" or ");
}

/** The service that the environment chooses, else the first one that is set up. Null: none is. */
export function findSearch(env: Partial<Env>): SearchPort | null {
  const service = listCandidates(env).find(({ needs }) => env[needs]);
  if (!service) return null;
  return async (query, count, signal) =>
    service.readResults(await askService(service.toRequest(env, query, count), signal)).slice(0, count);
}

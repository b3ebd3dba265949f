import "server-only";
import { localTeamId } from "./auth/viewer";
import { type Env, getEnv } from "./env";

/** What of the environment only the people of the first team use: keys, addresses in the operator's network, and its files. */
const ownVariables = [
  "OPENAI_API_KEY",
  "OPENAI_BASE_URL",
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_BASE_URL",
  "GEMINI_API_KEY",
  "GOOGLE_GEMINI_BASE_URL",
  "COMPATIBLE_BASE_URL",
  "COMPATIBLE_API_KEY",
  "SWARMLOOM_SEARCH",
  "TAVILY_API_KEY",
  "TAVILY_BASE_URL",
  "BRAVE_API_KEY",
  "BRAVE_BASE_URL",
  "SEARXNG_URL",
  "SWARMLOOM_WORKSPACE",
] as const satisfies readonly (keyof Env)[];

/**
 * Whether a team uses what the operator has set in the environment: the first team, which the operator owns, and without
 * a team; all others where SWARMLOOM_SHARE_ENVIRONMENT says so.
 */
export const usesEnvironment = (teamId: string | undefined): boolean =>
  teamId === undefined || teamId === localTeamId || getEnv().SWARMLOOM_SHARE_ENVIRONMENT === "1";

/** By the environment that it was made of. */
const reducedEnvs = new WeakMap<Env, Env>();

/** The environment as it is for a team. The same object as long as nothing of it changes. */
export function getTeamEnv(teamId?: string): Env {
  const env = getEnv();
  if (usesEnvironment(teamId)) return env;
  const known = reducedEnvs.get(env);
  if (known) return known;
  const none = Object.fromEntries(ownVariables.map((name) => [name, undefined]));
  const reduced: Env = { ...env, ...none, SWARMLOOM_HTTP_ALLOW: [], SWARMLOOM_TRACE_ALLOW: [] };
  reducedEnvs.set(env, reduced);
  return reduced;
}

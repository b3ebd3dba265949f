import "server-only";
import { mkdirSync } from "node:fs";
import path from "node:path";
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

/** By the environment that they were made of, and by team. */
const teamEnvs = new WeakMap<Env, Map<string | undefined, Env>>();

/** The environment as it is for a team. The same object as long as nothing of it changes. */
export function getTeamEnv(teamId?: string): Env {
  const env = getEnv();
  const ofTeams = teamEnvs.get(env) ?? new Map<string | undefined, Env>();
  teamEnvs.set(env, ofTeams);
  const known = ofTeams.get(teamId);
  if (known) return known;
  const workspace = findTeamFolder(env, teamId);
  const teamEnv: Env = {
    ...(usesEnvironment(teamId) ? env : reduce(env)),
    ...(workspace !== undefined && { SWARMLOOM_WORKSPACE: workspace }),
  };
  ofTeams.set(teamId, teamEnv);
  return teamEnv;
}

/** The environment without what only the first team uses. */
export const getReducedEnv = (): Env => reduce(getEnv());

function reduce(env: Env): Env {
  const none = Object.fromEntries(ownVariables.map((name) => [name, undefined]));
  return { ...env, ...none, SWARMLOOM_HTTP_ALLOW: [], SWARMLOOM_TRACE_ALLOW: [] };
}

/** The folder of a team among those of all teams, which is made here; undefined: it has none there. */
function findTeamFolder(
  { SWARMLOOM_WORKSPACE: ofFirst, SWARMLOOM_TEAM_WORKSPACES: ofTeams }: Env,
  teamId: string | undefined,
): string | undefined {
  if (ofTeams === undefined || teamId === undefined || (teamId === localTeamId && ofFirst !== undefined))
    return undefined;
  if (!/^[\w-]{1,100}$/.test(teamId)) throw new Error(`expected the id of a team, found ${JSON.stringify(teamId)}`);
  const folder = path.join(ofTeams, teamId);
  mkdirSync(/* turbopackIgnore: true */ folder, { recursive: true, mode: 0o700 });
  return folder;
}

import "server-only";
import type { ToolOffer } from "@/lib/core/check/offer";
import { askHuman } from "@/lib/core/run/loop/ask-human";
import type { ToolSpec } from "@/lib/core/run/ports/model";
import type { Tool, ToolPort } from "@/lib/core/run/ports/tool";
import { type Env, getEnv, getOwnPort } from "../env";
import { getReducedEnv, getTeamEnv, usesEnvironment } from "../team-env";
import { applyPatch } from "./apply-patch";
import { calculator } from "./calculator";
import { currentTime } from "./current-time";
import { dependencyGraph } from "./dependency-graph";
import { fileRead } from "./file-read";
import { fileWrite } from "./file-write";
import { getDiffs } from "./get-diffs";
import { createHttpRequest } from "./http-request";
import { readPage } from "./read-page";
import { findMissing } from "./search/services";
import type { ToolName } from "./tool-names";
import { assertSwitchedOn, findToolRules, type ToolRules } from "./tool-rules";
import { createWebSearch } from "./web-search";

interface ToolEntry {
  tool: Tool;
  /** What an administrator must set before the tool can do anything; null: nothing. */
  findMissing?: (env: Partial<Env>) => string | null;
}

const findWorkspace = (env: Partial<Env>): string | null =>
  env.SWARMLOOM_WORKSPACE === undefined ? "SWARMLOOM_WORKSPACE" : null;
const inWorkspace = (tool: Tool): ToolEntry => ({ tool, findMissing: findWorkspace });

/** Every tool that an agent can be given, under the name that the flow file uses, in one environment. */
const createTools = (env: () => Env) =>
  new Map<string, ToolEntry>(
    Object.entries({
      calculator: { tool: calculator },
      current_time: { tool: currentTime },
      read_page: { tool: readPage },
      http_request: { tool: createHttpRequest({ allow: () => env().SWARMLOOM_HTTP_ALLOW, ownPort: getOwnPort }) },
      web_search: { tool: createWebSearch(env), findMissing },
      file_read: inWorkspace(fileRead),
      file_write: inWorkspace(fileWrite),
      apply_patch: inWorkspace(applyPatch),
      get_diffs: inWorkspace(getDiffs),
      dependency_graph: inWorkspace(dependencyGraph),
    } satisfies Record<ToolName, ToolEntry>),
  );

const byName = createTools(getEnv);
/** For teams that do not use all of the environment. */
const reducedByName = createTools(getReducedEnv);

/** Names of the tools that work on the files of the workspace. */
export const workspaceTools: readonly string[] = [...byName].flatMap(([name, { findMissing }]) =>
  findMissing === findWorkspace ? [name] : [],
);

export const toolPort: ToolPort = { find: (name) => byName.get(name)?.tool ?? null };

/** The tools of a team, as far as it has not switched them off. */
export const toolPortOf = (teamId: string): ToolPort => {
  const tools = usesEnvironment(teamId) ? byName : reducedByName;
  return {
    find: (name) => {
      const tool = tools.get(name)?.tool;
      return tool ? underRules(teamId, tool) : null;
    },
  };
};

/** A tool that looks at every call whether the team still wants it: its rules may change while a run is under way. */
const underRules = (teamId: string, tool: Tool): Tool => ({
  ...tool,
  execute: async (input, context) => {
    assertSwitchedOn(teamId, tool.spec.name);
    return tool.execute(input, { ...context, httpHosts: findToolRules(teamId).httpHosts });
  },
});

/** What the tools are called, for `checkFlow`; the engine's own one among them. */
export const toolSpecs: readonly ToolSpec[] = [...[...byName.values()].map(({ tool }) => tool.spec), askHuman.spec];

/** The tools of a team, with what each one lacks there. */
export const listTeamTools = (teamId: string | undefined): ToolOffer[] =>
  listTools(getTeamEnv(teamId), findToolRules(teamId)).map((offer) =>
    offer.missing === undefined || usesEnvironment(teamId)
      ? offer
      : { ...offer, missing: findMissingForTeam(offer.name) },
  );

/** What must be set for a team that does not use the environment as the first team does. */
function findMissingForTeam(tool: string): string {
  if (workspaceTools.includes(tool)) return "SWARMLOOM_TEAM_WORKSPACES";
  const missing = byName.get(tool)?.findMissing?.(getEnv()) ?? null;
  return [...(missing === null ? [] : [missing]), "SWARMLOOM_SHARE_ENVIRONMENT=1"].join(" and ");
}

/** What each tool lacks in this environment, and under the rules of a team. Calls no service. */
export const listTools = (env: Partial<Env> = getEnv(), { switchedOff }: Partial<ToolRules> = {}): ToolOffer[] =>
  toolSpecs.map(({ name, description, parameters }) => {
    const missing = byName.get(name)?.findMissing?.(env) ?? null;
    const isSwitchedOff = switchedOff?.some((one) => one === name) === true;
    return {
      ...{ name, description, parameters, available: missing === null && !isSwitchedOff },
      ...(missing !== null && { missing }),
      ...(isSwitchedOff && { isSwitchedOff }),
    };
  });

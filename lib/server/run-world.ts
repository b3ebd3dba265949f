import "server-only";
import type { RunContext } from "@/lib/core/run/ports/run-context";
import type { OwnKeys } from "./connections/personal-keys";
import { createAnswerPort } from "./cpu-worker/answer-port";
import { getEnv } from "./env";
import { findModels, findModelsWith } from "./offer";
import { sleep } from "./sleep";
import { getTeamEnv } from "./team-env";
import { toolPort, toolPortOf } from "./tools/registry";
import { listApprovalTools } from "./tools/tool-rules";

/** What a run may touch of the real world; the signal is the run's own. Its models are those of the environment. */
export const runWorld: Omit<RunContext, "signal"> = {
  models: { find: (model) => findModels().find(model) },
  tools: toolPort,
  now: Date.now,
  random: Math.random,
  get ceilings() {
    const { SWARMLOOM_MAX_COST, SWARMLOOM_MAX_TOKENS, SWARMLOOM_MAX_SECONDS } = getEnv();
    return { max_cost: SWARMLOOM_MAX_COST, max_tokens: SWARMLOOM_MAX_TOKENS, max_seconds: SWARMLOOM_MAX_SECONDS };
  },
  get maxWorkSeconds() {
    return getEnv().SWARMLOOM_MAX_WORK_SECONDS;
  },
  get concurrentCalls() {
    return getEnv().SWARMLOOM_RUN_CONCURRENCY;
  },
  get approvalRequired() {
    return getEnv().SWARMLOOM_APPROVE;
  },
  get workspace() {
    return getEnv().SWARMLOOM_WORKSPACE;
  },
  sleep,
};

/** What of it is a team's own; `own`: keys of who started the run that it uses in place of the team's. */
export const findTeamWorld = (
  teamId: string,
  own: OwnKeys | null = null,
): Pick<RunContext, "models" | "tools" | "answers" | "approvalRequired" | "workspace"> => ({
  models: own ? findModelsWith(teamId, own) : findModels(teamId),
  tools: toolPortOf(teamId),
  answers: createAnswerPort(`team ${teamId}`),
  approvalRequired: listApprovalTools(teamId),
  workspace: getTeamEnv(teamId).SWARMLOOM_WORKSPACE,
});

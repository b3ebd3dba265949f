import "server-only";
import type { RunContext } from "@/lib/core/run/context";
import { getEnv } from "./env";
import { modelPort } from "./models/providers";
import { sleep } from "./sleep";
import { toolPort } from "./tools/registry";

/** What a run may touch of the real world; the signal is the run's own. */
export const runWorld: Omit<RunContext, "signal"> = {
  models: modelPort,
  tools: toolPort,
  now: Date.now,
  random: Math.random,
  get approvalRequired() {
    return getEnv().SWARMLOOM_APPROVE;
  },
  get workspace() {
    return getEnv().SWARMLOOM_WORKSPACE;
  },
  sleep,
};

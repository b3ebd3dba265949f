import type { HumanInputAnswer } from "@/lib/core/run/events/events";
import { createdSchema, fetchJson, fetchText } from "../_ui/loading/fetch-json";

interface RunRequest {
  input: string;
  /** A saved one; missing: the newest. */
  revision?: string;
  /** Simulated models answer in place of those of the flow. */
  simulate?: boolean;
  /** The user's own keys are used where there are any. */
  ownKeys?: boolean;
}

/** Starts a run of a saved flow; returns its id. Throws RequestError. */
export async function startRun(flowId: string, json: RunRequest): Promise<string> {
  return (await fetchJson(`/api/v1/flows/${flowId}/runs`, createdSchema, { json })).id;
}

/** Starts a run of the same revision on the same input; answers its id. Throws RequestError. */
export async function runAgain(runId: string): Promise<string> {
  return (await fetchJson(`/api/v1/runs/${runId}/again`, createdSchema, { method: "POST" })).id;
}

/** Starts a run that does again what did not succeed in an ended one; answers its id. Throws RequestError. */
export async function retryRun(runId: string, revision: ForkBody["revision"]): Promise<string> {
  return (await fetchJson(`/api/v1/runs/${runId}/retry?revision=${revision}`, createdSchema, { method: "POST" })).id;
}

interface ForkBody {
  /** The first step that is done again. */
  node: number;
  revision: "recorded" | "current";
  input?: string;
  instructions?: string;
  model?: string;
  output?: string;
}

/** Starts a run that continues another one from a step; answers its id. Throws RequestError. */
export async function forkRun(runId: string, json: ForkBody): Promise<string> {
  return (await fetchJson(`/api/v1/runs/${runId}/fork`, createdSchema, { json })).id;
}

const startedRunsSchema = {
  parse(value: unknown): string[] {
    if (typeof value !== "object" || value === null || !("runs" in value) || !Array.isArray(value.runs))
      throw new Error("expected an object with the list `runs`");
    return value.runs.map((run) => createdSchema.parse(run).id);
  },
};

/** Starts a run that continues another one from an agent for each model, in this order; answers their ids. Throws RequestError. */
export async function tryModels(
  runId: string,
  json: Omit<ForkBody, "model" | "output"> & { models: readonly string[] },
): Promise<readonly string[]> {
  return fetchJson(`/api/v1/runs/${runId}/what-if`, startedRunsSchema, { json });
}

export type RunAnswer = Omit<HumanInputAnswer, "by"> & { question: number };

/** Answers the question of a waiting step. Throws RequestError. */
export const answerQuestion = (runId: string, nodeId: number, json: RunAnswer): Promise<unknown> =>
  fetchText(`/api/v1/runs/${runId}/nodes/${nodeId}/answer`, { json });

/** Puts a message into the conversation of an agent at work; `agent` is the path of its step. Throws RequestError. */
export const messageAgent = (runId: string, agent: string, text: string): Promise<unknown> =>
  fetchText(`/api/v1/runs/${runId}/messages`, { json: { agent, text } });

/** Asks a run to pause after the steps under way. Throws RequestError. */
export const pauseRun = (runId: string): Promise<unknown> =>
  fetchText(`/api/v1/runs/${runId}/pause`, { method: "POST" });

/** Lets a paused run go on. Throws RequestError. */
export const resumeRun = (runId: string): Promise<unknown> =>
  fetchText(`/api/v1/runs/${runId}/resume`, { method: "POST" });

/** Asks a run to stop. Throws RequestError. */
export const cancelRun = (runId: string): Promise<unknown> =>
  fetchText(`/api/v1/runs/${runId}/cancel`, { method: "POST" });

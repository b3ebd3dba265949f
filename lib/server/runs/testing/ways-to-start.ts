import "server-only";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { localViewer } from "../../auth/viewer";
import { getDb } from "../../db";
import { startOrchestration } from "../../orchestration/start-orchestration";
import { createSchedule } from "../../schedules/commands";
import { runDueSchedules } from "../../schedules/scheduler";
import { createFlowLink } from "../../share-links/share-links";
import { startRunByLink } from "../../share-links/visit";
import { createWebhook } from "../../webhooks/commands";
import { sendRequest } from "../../webhooks/testing/send-request";
import { runAgain, startRun } from "../commands";
import { forkRun, retryRun, tryModels } from "../fork";
import { startRunOnce } from "../start-once";

/** What runs are started from. `ended` and `failed` are runs of the flow; `team` is a flow of type orchestrate. */
export const startedFromSchema = z.object({
  flow: z.string(),
  team: z.string(),
  ended: z.string(),
  failed: z.string(),
});
export type StartedFrom = z.infer<typeof startedFromSchema>;

type Start = () => Promise<unknown>;

const isDue = Date.UTC(2100, 0, 1);

/** Every way in which users and programs start runs: prepares one start. */
const ways = {
  start:
    async ({ flow }) =>
    () =>
      startRun(localViewer, flow, { input: "x" }),
  "idempotent start":
    async ({ flow }) =>
    () =>
      startRunOnce(localViewer, flow, { input: "x", key: randomUUID() }),
  "run again":
    async ({ ended }) =>
    () =>
      runAgain(localViewer, ended),
  fork:
    async ({ ended }) =>
    () =>
      forkRun(localViewer, ended, { node: 2 }),
  retry:
    async ({ failed }) =>
    () =>
      retryRun(localViewer, failed),
  "what-if":
    async ({ ended }) =>
    () =>
      tryModels(localViewer, ended, { node: 2, models: ["demo:b"] }),
  orchestration:
    async ({ team }) =>
    () =>
      startOrchestration(localViewer, { goal: "x", flow: team }),
  webhook: async ({ flow }) => {
    const hook = await createWebhook(localViewer, { flow, name: "Hook", inputPath: "", enabled: true });
    return async () => {
      const { status, text } = await sendRequest(hook);
      if (status !== 202) throw new Error(text);
    };
  },
  "share link": async ({ flow }) => {
    const { url } = await createFlowLink(localViewer, flow, { runs: { most: 5, maxCost: 1 } });
    return () => startRunByLink(url.split("/").at(-1) ?? "", "x");
  },
  schedule: async ({ flow }) => {
    const times = { cron: "0 * * * *", timeZone: "UTC", missed: "once", overlap: true, enabled: true } as const;
    const { id } = await createSchedule(localViewer, { ...times, flow, name: "Hourly", input: "x" });
    return async () => {
      await runDueSchedules(await getDb(), isDue);
      const { lastRunId } = await (await getDb()).schedule.findUniqueOrThrow({ where: { id } });
      if (lastRunId === null) throw new Error("the schedule was refused");
    };
  },
} satisfies Record<string, (from: StartedFrom) => Promise<Start>>;

export type WayToStart = keyof typeof ways;
const isWay = (name: string): name is WayToStart => Object.hasOwn(ways, name);
export const waysToStart: readonly WayToStart[] = Object.keys(ways).filter(isWay);

/** Prepares starts, and returns a function that begins all of them at once and resolves to how many were accepted. */
export async function prepareStarts(from: StartedFrom, names: readonly string[]): Promise<() => Promise<number>> {
  const starts: Start[] = [];
  for (const name of names) if (isWay(name)) starts.push(await ways[name](from));
  return async () => {
    const results = await Promise.allSettled(starts.map((start) => start()));
    return results.filter(({ status }) => status === "fulfilled").length;
  };
}

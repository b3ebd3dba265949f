import * as z from "zod/mini";
import { fetchJson, fetchText } from "@/app/_ui/loading/fetch-json";
import { runStatuses } from "@/lib/core/run/events/run-status";
import type { ScheduleDetail, SchedulePreview, ScheduleTimes } from "@/lib/server/schedules/schedule-setting";
import type { WebhookDetail, WebhookSecret } from "@/lib/server/webhooks/webhook-setting";

const lastRunSchema = z.nullable(z.object({ id: z.string(), status: z.enum(runStatuses) }));
const moment = z.nullable(z.number());

const scheduleSchema: z.ZodMiniType<ScheduleDetail> = z.object({
  id: z.string(),
  flow: z.string(),
  flowName: z.string(),
  name: z.string(),
  cron: z.string(),
  timeZone: z.string(),
  input: z.string(),
  missed: z.enum(["skip", "once", "each"]),
  overlap: z.boolean(),
  enabled: z.boolean(),
  problem: z.nullable(z.string()),
  description: z.string(),
  nextAt: moment,
  lastAt: moment,
  lastRun: lastRunSchema,
  lastProblem: z.nullable(z.string()),
});

const webhookSchema: z.ZodMiniType<WebhookDetail> = z.object({
  id: z.string(),
  flow: z.string(),
  flowName: z.string(),
  name: z.string(),
  path: z.string(),
  inputPath: z.string(),
  enabled: z.boolean(),
  lastFour: z.string(),
  lastAt: moment,
  lastRun: lastRunSchema,
  lastProblem: z.nullable(z.string()),
  lastProblemAt: moment,
});

const secretSchema: z.ZodMiniType<WebhookSecret> = z.object({ webhook: webhookSchema, secret: z.string() });
const previewSchema: z.ZodMiniType<SchedulePreview> = z.object({ description: z.string(), times: z.array(z.number()) });

/** What the form of a schedule sends. */
export type ScheduleDraft = Pick<
  ScheduleDetail,
  "flow" | "name" | "cron" | "timeZone" | "input" | "missed" | "overlap" | "enabled"
>;
/** What the form of a webhook sends. */
export type WebhookDraft = Pick<WebhookDetail, "flow" | "name" | "inputPath" | "enabled">;

/** A flow that a trigger can run. */
export interface FlowChoice {
  id: string;
  name: string;
}

export interface Triggers {
  schedules: ScheduleDetail[];
  webhooks: WebhookDetail[];
}

const [schedules, webhooks] = ["/api/v1/schedules", "/api/v1/webhooks"];

export async function requestTriggers(signal: AbortSignal): Promise<Triggers> {
  const answers = await Promise.all([
    fetchJson(schedules, z.object({ schedules: z.array(scheduleSchema) }), { signal }),
    fetchJson(webhooks, z.object({ webhooks: z.array(webhookSchema) }), { signal }),
  ]);
  return { ...answers[0], ...answers[1] };
}

/** Creates a schedule, or replaces the one with an id. */
export const saveSchedule = (id: string | null, json: ScheduleDraft): Promise<ScheduleDetail> =>
  id === null
    ? fetchJson(schedules, scheduleSchema, { json })
    : fetchJson(`${schedules}/${id}`, scheduleSchema, { json, method: "PUT" });

export const previewSchedule = (json: ScheduleTimes, signal: AbortSignal): Promise<SchedulePreview> =>
  fetchJson(`${schedules}/preview`, previewSchema, { json, signal });

export const createWebhook = (json: WebhookDraft): Promise<WebhookSecret> =>
  fetchJson(webhooks, secretSchema, { json });

export const saveWebhook = (id: string, json: WebhookDraft): Promise<WebhookDetail> =>
  fetchJson(`${webhooks}/${id}`, webhookSchema, { json, method: "PUT" });

export const renewSecret = (id: string): Promise<WebhookSecret> =>
  fetchJson(`${webhooks}/${id}/secret`, secretSchema, { method: "POST" });

export const deleteTrigger = (type: "schedule" | "webhook", id: string): Promise<string> =>
  fetchText(`${type === "schedule" ? schedules : webhooks}/${id}`, { method: "DELETE" });

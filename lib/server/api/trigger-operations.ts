import "server-only";
import { z } from "zod";
import { scheduleSchema, scheduleTimesSchema } from "../schedules/schedule-setting";
import { webhookSchema } from "../webhooks/webhook-setting";
import { id, lastRunSchema, time } from "./answers";
import type { Operations } from "./operation";

const scheduleDetailSchema = scheduleSchema.extend({
  id,
  flowName: z.string(),
  problem: z.string().nullable(),
  description: z.string(),
  nextAt: time.nullable(),
  lastAt: time.nullable(),
  lastRun: lastRunSchema,
  lastProblem: z.string().nullable(),
});

const webhookDetailSchema = webhookSchema.extend({
  id,
  flowName: z.string(),
  path: z.string(),
  lastFour: z.string(),
  lastAt: time.nullable(),
  lastRun: lastRunSchema,
  lastProblem: z.string().nullable(),
  lastProblemAt: time.nullable(),
});
const webhookSecretSchema = z.object({ webhook: webhookDetailSchema, secret: z.string() });

/** Schedules and webhooks, which start runs. */
export const triggerOperations = {
  listSchedules: {
    method: "GET",
    path: "/schedules",
    summary: "Schedules, newest first.",
    permission: "flows:read",
    team: true,
    answer: z.object({ schedules: z.array(scheduleDetailSchema) }),
  },
  createSchedule: {
    method: "POST",
    path: "/schedules",
    summary: "Starts runs of a flow at the times of a cron expression.",
    permission: "flows:write",
    team: true,
    body: scheduleSchema,
    status: 201,
    answer: scheduleDetailSchema,
  },
  previewSchedule: {
    method: "POST",
    path: "/schedules/preview",
    summary: "The times of a cron expression in words, and the next five.",
    permission: null,
    body: scheduleTimesSchema,
    answer: z.object({ description: z.string(), times: z.array(time) }),
  },
  saveSchedule: {
    method: "PUT",
    path: "/schedules/{id}",
    summary: "Replaces the setting of a schedule.",
    permission: "flows:write",
    body: scheduleSchema,
    answer: scheduleDetailSchema,
  },
  deleteSchedule: {
    method: "DELETE",
    path: "/schedules/{id}",
    summary: "Deletes a schedule; its runs stay.",
    permission: "flows:write",
    answer: null,
  },
  listWebhooks: {
    method: "GET",
    path: "/webhooks",
    summary: "Webhooks, newest first, without their secrets.",
    permission: "flows:read",
    team: true,
    answer: z.object({ webhooks: z.array(webhookDetailSchema) }),
  },
  createWebhook: {
    method: "POST",
    path: "/webhooks",
    summary: "Creates an address that starts runs of a flow; the secret is in this answer only.",
    permission: "flows:write",
    team: true,
    body: webhookSchema,
    status: 201,
    answer: webhookSecretSchema,
  },
  saveWebhook: {
    method: "PUT",
    path: "/webhooks/{id}",
    summary: "Replaces the setting of a webhook; its address and secret stay.",
    permission: "flows:write",
    body: webhookSchema,
    answer: webhookDetailSchema,
  },
  deleteWebhook: {
    method: "DELETE",
    path: "/webhooks/{id}",
    summary: "Deletes a webhook; its runs stay.",
    permission: "flows:write",
    answer: null,
  },
  renewWebhookSecret: {
    method: "POST",
    path: "/webhooks/{id}/secret",
    summary: "Makes a new secret; requests signed with the one before are refused.",
    permission: "flows:write",
    answer: webhookSecretSchema,
  },
} satisfies Operations;

import "server-only";
import { z } from "zod";
import { connectionSettingSchema } from "../connections/connection-setting";
import { connectionTestSchema } from "../connections/test-connection";
import { retentionSchema } from "../retention/retention-setting";
import { approvalRuleSchema } from "../teams/approval-rule";
import { teamLimitsDetailSchema, teamLimitsSchema } from "../teams/team-limits";
import { toolRulesSchema } from "../tools/tool-rules";
import { traceExportSchema } from "../trace-export/trace-export-setting";
import { id, time } from "./answers";
import type { Operations } from "./operation";

const connectionSchema = z.object({
  provider: z.string(),
  label: z.string(),
  source: z.enum(["entered", "environment"]).nullable(),
  problem: z.string().nullable(),
  hasKey: z.boolean(),
  lastFour: z.string(),
  baseUrl: z.string().nullable(),
  ownUrl: z.string().nullable(),
  needsKey: z.boolean(),
  enteredBy: z.string().nullable(),
  enteredAt: time.nullable(),
  lastUsedAt: time.nullable(),
  environment: z.object({ key: z.string(), url: z.string(), isSet: z.boolean() }),
});

const toolRulesAnswer = z.object({
  switchedOff: z.array(z.string()),
  needApproval: z.array(z.string()),
  httpHosts: z.array(z.string()).nullable(),
});

const connectionTestResult = z.object({
  ok: z.boolean(),
  model: z.string().nullable(),
  models: z.array(z.string()),
  steps: z.array(
    z.object({
      type: z.enum(["models", "word", "tool"]),
      status: z.enum(["passed", "limited", "failed", "skipped"]),
      message: z.string(),
      milliseconds: z.number(),
    }),
  ),
});

const useSchema = z.object({ most: z.number(), now: z.number() }).nullable();
const queueSchema = z.object({
  waiting: z.int(),
  waitingSince: time.nullable(),
  running: z.int(),
  waitingForPeople: z.int(),
  workers: z.array(z.object({ name: z.string(), concurrency: z.int(), startedAt: time })),
  concurrency: z.int(),
  teamConcurrency: z.int().nullable(),
  waitingForTeam: z.int(),
  providers: z.array(z.object({ provider: z.string(), calls: useSchema, starts: useSchema, waiting: z.int() })),
  abandoned: z.array(z.object({ id, flowName: z.string(), endedAt: time, reason: z.string() })),
});

const retentionDetail = retentionSchema.extend({ lastAt: time.nullable(), lastDeleted: z.int() });
const traceExportDetail = z
  .object({
    endpoint: z.string(),
    headers: z.record(z.string(), z.string()),
    content: z.boolean(),
    enabled: z.boolean(),
    updatedAt: time,
    lastSentAt: time.nullable(),
    lastError: z.string().nullable(),
  })
  .nullable();

/** Connections and settings of a team, for its Admins. */
export const teamOperations = {
  listConnections: {
    method: "GET",
    path: "/connections",
    summary: "Every provider with its connection, without keys.",
    permission: "team:manage",
    team: true,
    answer: z.object({ connections: z.array(connectionSchema) }),
  },
  saveConnection: {
    method: "PUT",
    path: "/connections/{provider}",
    summary: "Sets the key and the base URL of a provider; a missing field keeps what is stored.",
    permission: "team:manage",
    team: true,
    body: connectionSettingSchema,
    answer: connectionSchema,
  },
  removeConnection: {
    method: "DELETE",
    path: "/connections/{provider}",
    summary: "Removes what was entered for a provider.",
    permission: "team:manage",
    team: true,
    answer: connectionSchema,
  },
  testConnection: {
    method: "POST",
    path: "/connections/{provider}/test",
    summary: "Asks a provider for its models, one streamed word and one tool call.",
    permission: "team:manage",
    team: true,
    body: connectionTestSchema,
    answer: connectionTestResult,
  },
  findLocalServers: {
    method: "POST",
    path: "/connections/find-local",
    summary: "Model servers that answer on the server's own machine.",
    permission: "team:manage",
    team: true,
    answer: z.object({
      servers: z.array(z.object({ name: z.string(), port: z.int(), baseUrl: z.string(), models: z.array(z.string()) })),
    }),
  },
  getRetention: {
    method: "GET",
    path: "/settings/retention",
    summary: "Which runs are deleted as time passes.",
    permission: "team:manage",
    team: true,
    answer: retentionDetail,
  },
  saveRetention: {
    method: "PUT",
    path: "/settings/retention",
    summary: "Sets which runs are deleted as time passes.",
    permission: "team:manage",
    team: true,
    body: retentionSchema,
    answer: retentionDetail,
  },
  previewRetention: {
    method: "POST",
    path: "/settings/retention/preview",
    summary: "What such a setting would delete now; deletes nothing.",
    permission: "team:manage",
    team: true,
    body: retentionSchema,
    answer: z.object({
      runs: z.int(),
      allRuns: z.int(),
      oldest: time.nullable(),
      newest: time.nullable(),
      flows: z.array(z.object({ id, name: z.string(), runs: z.int() })),
    }),
  },
  getTraceExport: {
    method: "GET",
    path: "/settings/trace-export",
    summary: "Where runs are sent as traces; null before it is set.",
    permission: "team:manage",
    team: true,
    answer: traceExportDetail,
  },
  saveTraceExport: {
    method: "PUT",
    path: "/settings/trace-export",
    summary: "Sets where runs are sent as traces.",
    permission: "team:manage",
    team: true,
    body: traceExportSchema,
    answer: traceExportDetail,
  },
  testTraceExport: {
    method: "POST",
    path: "/settings/trace-export/test",
    summary: "Sends one span with a setting that is not saved.",
    permission: "team:manage",
    team: true,
    body: traceExportSchema,
    answer: z.object({ ok: z.boolean(), message: z.string(), milliseconds: z.number() }),
  },
  getApprovalRule: {
    method: "GET",
    path: "/settings/approvals",
    summary: "Who may approve in the runs of the team.",
    permission: "team:manage",
    team: true,
    answer: approvalRuleSchema,
  },
  saveApprovalRule: {
    method: "PUT",
    path: "/settings/approvals",
    summary: "Sets whether who started a run may approve in it.",
    permission: "team:manage",
    team: true,
    body: approvalRuleSchema,
    answer: approvalRuleSchema,
  },
  getToolRules: {
    method: "GET",
    path: "/settings/tools",
    summary: "Which tools the runs of the team may use, and which hosts http_request reaches.",
    permission: "team:manage",
    team: true,
    answer: toolRulesAnswer,
  },
  saveToolRules: {
    method: "PUT",
    path: "/settings/tools",
    summary: "Switches tools off, makes them wait for approval, and names the only hosts that http_request reaches.",
    permission: "team:manage",
    team: true,
    body: toolRulesSchema,
    answer: toolRulesAnswer,
  },
  getTeamLimits: {
    method: "GET",
    path: "/settings/limits",
    summary: "What the runs of the team may do at most, and what it has used.",
    permission: "runs:read",
    team: true,
    answer: teamLimitsDetailSchema,
  },
  saveTeamLimits: {
    method: "PUT",
    path: "/settings/limits",
    summary:
      "Sets how many runs at a time, a day and a month, and what a run, a day and a month may cost; null: no such limit.",
    permission: "team:manage",
    team: true,
    body: teamLimitsSchema,
    answer: teamLimitsDetailSchema,
  },
  getQueue: {
    method: "GET",
    path: "/settings/queue",
    summary: "Runs that wait and those under way, and the limits in force.",
    permission: "team:manage",
    team: true,
    answer: queueSchema,
  },
} satisfies Operations;

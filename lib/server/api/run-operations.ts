import "server-only";
import { z } from "zod";
import { layoutSchema } from "@/lib/core/flow/schemas/layout-schema";
import { runParametersSchema } from "@/lib/core/flow/schemas/run-parameters";
import { payloadSchema, runNodeKinds, runStatusSchema } from "@/lib/core/run/events/events";
import { messageSchema } from "@/lib/core/run/events/messages";
import { warningCodes } from "@/lib/core/run/events/warnings";
import { comparedRowSchema } from "@/lib/core/trace/model/align-steps";
import { runFilterSchema } from "@/lib/core/trace/model/run-filter";
import { runStateSchema } from "@/lib/core/trace/model/run-state";
import { runSumsSchema } from "@/lib/core/trace/model/run-sums";
import { forkSchema, retrySchema, whatIfSchema } from "../runs/fork";
import { runIdSchema, runSummarySchema, time } from "./answers";
import type { Operations } from "./operation";

const warningSchema = z.object({ code: z.enum(warningCodes), message: z.string() });

const listedRunSchema = runSummarySchema.extend({
  version: z
    .object({ number: z.int(), name: z.string().nullable(), state: z.enum(["published", "draft"]).nullable() })
    .nullable(),
});

const forkedSchema = runSummarySchema
  .pick({ id: true, status: true, error: true, usage: true, createdAt: true, durationMs: true })
  .extend({
    step: z.string(),
    model: z.string().nullable(),
    hasInput: z.boolean(),
    hasInstructions: z.boolean(),
  });

/** Starting runs, the list of runs, and what is asked of a run as a whole. */
export const runOperations = {
  startRun: {
    method: "POST",
    path: "/flows/{id}/runs",
    summary: "Starts a run of the newest version, or of the named one, and returns at once.",
    permission: "runs:write",
    headers: {
      "Idempotency-Key":
        "Up to 255 printable characters. A repeated request starts no second run and answers with the first.",
    },
    body: z.strictObject({
      input: z.string().max(500_000),
      messages: z.array(messageSchema).max(1000).optional(),
      revision: z.string().optional(),
      simulate: z.boolean().optional(),
      /** The keys of the person who makes the request are used where there are any, not the team's. */
      ownKeys: z.boolean().optional(),
      /** Limits of all agents of the run, in place of their own. */
      parameters: z.optional(runParametersSchema),
    }),
    status: 202,
    answer: runIdSchema,
  },
  listRuns: {
    method: "GET",
    path: "/runs",
    summary: "Runs, newest first; next is the before of the following page.",
    permission: "runs:read",
    team: true,
    query: z.object({
      ...runFilterSchema.shape,
      /** The older name of `flow`. */
      flowId: z.string().optional(),
      before: z.string().optional(),
      limit: z.coerce.number().int().min(1).max(200).optional(),
    }),
    answer: z.object({ runs: z.array(listedRunSchema), next: z.string().nullable() }),
  },
  summarizeRuns: {
    method: "GET",
    path: "/runs/summary",
    summary: "Totals over the runs that a filter means, and by day of a time zone.",
    permission: "runs:read",
    team: true,
    query: z.object({ ...runFilterSchema.shape, zone: z.string().max(100).optional() }),
    answer: runSumsSchema,
  },
  exportRuns: {
    method: "GET",
    path: "/runs/export.csv",
    summary: "The runs that a filter means as CSV.",
    permission: "runs:read",
    team: true,
    query: z.object(runFilterSchema.shape),
    answer: "text/csv",
  },
  compareRuns: {
    method: "GET",
    path: "/runs/compare",
    summary: "The steps of two to six runs side by side; the first run is the base.",
    permission: "runs:read",
    query: z.object({ runs: z.string().max(1000) }),
    answer: z.object({ rows: z.array(comparedRowSchema), agents: z.array(z.string()) }),
  },
  getRun: {
    method: "GET",
    path: "/runs/{id}",
    summary: "A run with its steps and warnings, and the steps that are planned and have not begun.",
    permission: "runs:read",
    answer: runSummarySchema.extend({
      output: payloadSchema,
      warnings: z.array(warningSchema.extend({ node: z.int(), path: z.string() })),
      state: runStateSchema,
      /** Empty once the run has ended. */
      planned: z.array(
        z.object({ path: z.string(), kind: z.enum(runNodeKinds), name: z.string(), status: z.literal("INIT") }),
      ),
    }),
  },
  getRunFlow: {
    method: "GET",
    path: "/runs/{id}/flow",
    summary: "The flow that a run runs, as it was saved when it started.",
    permission: "runs:read",
    answer: z.object({ source: z.string(), layout: layoutSchema }),
  },
  cancelRun: {
    method: "POST",
    path: "/runs/{id}/cancel",
    summary: "Asks a run to stop; one that has ended stays as it ended.",
    permission: "runs:write",
    answer: null,
  },
  runAgain: {
    method: "POST",
    path: "/runs/{id}/again",
    summary: "Starts the same version on the same input.",
    permission: "runs:write",
    status: 202,
    answer: runIdSchema,
  },
  pauseRun: {
    method: "POST",
    path: "/runs/{id}/pause",
    summary: "Asks a run to pause after the steps under way.",
    permission: "runs:write",
    status: 202,
    answer: runIdSchema,
  },
  resumeRun: {
    method: "POST",
    path: "/runs/{id}/resume",
    summary: "Lets a paused run go on.",
    permission: "runs:write",
    status: 202,
    answer: runIdSchema,
  },
  retryRun: {
    method: "POST",
    path: "/runs/{id}/retry",
    summary:
      "Starts a run that does again what did not succeed; the steps that did are reused. With the revision current by the flow as it is now.",
    permission: "runs:write",
    query: retrySchema,
    status: 202,
    answer: runIdSchema,
  },
  forkRun: {
    method: "POST",
    path: "/runs/{id}/fork",
    summary: "Starts a run that continues this one from a step, with changes.",
    permission: "runs:write",
    body: forkSchema,
    status: 202,
    answer: runIdSchema,
  },
  tryModels: {
    method: "POST",
    path: "/runs/{id}/what-if",
    summary: "Starts such a run for each of one to five models, all or none.",
    permission: "runs:write",
    body: whatIfSchema,
    status: 202,
    answer: z.object({ runs: z.array(runIdSchema) }),
  },
  listForks: {
    method: "GET",
    path: "/runs/{id}/forks",
    summary: "The newest 50 runs that continue this one.",
    permission: "runs:read",
    answer: z.object({ forks: z.array(forkedSchema) }),
  },
  tellAgent: {
    method: "POST",
    path: "/runs/{id}/messages",
    summary:
      "Puts a message before the next model call of an agent at work: its declared name, or the path of its step.",
    permission: "runs:write",
    body: z.strictObject({
      agent: z.string().min(1).max(1000),
      text: z
        .string()
        .max(100_000)
        .refine((text) => text.trim() !== "", "must not be blank"),
    }),
    status: 202,
    answer: null,
  },
  getTrace: {
    method: "GET",
    path: "/runs/{id}/structure",
    summary: "All steps of a run in columns, without texts.",
    permission: "runs:read",
    answer: z.looseObject({
      seq: z.int(),
      run: z.looseObject({ status: runStatusSchema, flow: z.string(), simulated: z.boolean() }),
      kind: z.string(),
      status: z.string(),
      start: z.array(time),
    }),
  },
} satisfies Operations;

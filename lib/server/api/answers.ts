import "server-only";
import { z } from "zod";
import { problemCodes } from "@/lib/core/flow/problem";
import { jsonSchema } from "@/lib/core/flow/schemas/flow-schemas";
import { layoutSchema } from "@/lib/core/flow/schemas/layout-schema";
import { payloadSchema, runErrorSchema, runEventSchema, runStatusSchema } from "@/lib/core/run/events/events";
import { messageSchema } from "@/lib/core/run/events/messages";
import { runStatuses } from "@/lib/core/run/events/run-status";
import { usageSchema } from "@/lib/core/run/events/usage-schema";
import { storedNodeSchema } from "@/lib/core/trace/model/run-state";

/** Milliseconds since the epoch. */
export const time = z.number();
export const id = z.string();

/** The answer of what starts a run, or asks something of one. */
export const runIdSchema = z.object({ id });

const rangeSchema = z.object({ from: z.int(), to: z.int() });
const changeSchema = rangeSchema.extend({ insert: z.string() });

export const problemSchema = z.object({
  code: z.enum(problemCodes),
  severity: z.enum(["error", "warning", "info"]),
  message: z.string(),
  /** In UTF-16 units of the text. */
  range: rangeSchema.optional(),
  nodes: z.array(z.string()).optional(),
  provider: z.string().optional(),
  fix: z.object({ title: z.string(), changes: z.array(changeSchema) }).optional(),
  repairs: z.array(z.object({ title: z.string(), edit: z.looseObject({ type: z.string() }) })).optional(),
  owner: z.string().nullish(),
  field: z.string().optional(),
  reference: z.string().optional(),
  replacement: z.string().optional(),
});

export const runSummarySchema = z.object({
  id,
  flowId: id,
  flowName: z.string(),
  revision: id,
  status: runStatusSchema,
  input: payloadSchema,
  error: z.nullable(runErrorSchema),
  usage: usageSchema,
  simulated: z.boolean(),
  /** Null where it cannot be read: the error is `unreadable` then. */
  createdAt: time.nullable(),
  startedAt: time.nullable(),
  endedAt: time.nullable(),
  durationMs: z.number().nullable(),
  startedBy: z.string(),
  models: z.array(z.string()),
  warnings: z.int(),
});

/** The newest run that a schedule or a webhook started. */
export const lastRunSchema = z.object({ id, status: z.enum(runStatuses) }).nullable();

/** Schemas that the document names, each under its own name in `components`. */
export const components = z.registry<{ id: string }>();
components.add(layoutSchema, { id: "Layout" });
components.add(problemSchema, { id: "Problem" });
components.add(runStatusSchema, { id: "RunStatus" });
components.add(runErrorSchema, { id: "RunError" });
components.add(usageSchema, { id: "Usage" });
components.add(payloadSchema, { id: "Text" });
components.add(messageSchema, { id: "Message" });
components.add(storedNodeSchema, { id: "Step" });
components.add(runSummarySchema, { id: "Run" });
components.add(runEventSchema, { id: "RunEvent" });
components.add(jsonSchema, { id: "Json" });

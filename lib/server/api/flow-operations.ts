import "server-only";
import { z } from "zod";
import { layoutSchema } from "@/lib/core/flow/schemas/layout-schema";
import { runStatuses } from "@/lib/core/run/events/run-status";
import { flowSorts } from "../flows/list-flows";
import { longestRevisionName } from "../flows/revisions";
import { id, problemSchema, time } from "./answers";
import type { Operations } from "./operation";

const createSchema = z.strictObject({
  name: z.string().max(200).optional(),
  source: z.string().optional(),
  layout: z.optional(layoutSchema),
  /** It comes from elsewhere: before its first run a member confirms what it reaches. */
  imported: z.boolean().optional(),
});

const saveSchema = z.strictObject({
  source: z.string(),
  layout: z.optional(layoutSchema),
  baseRevision: z.string(),
  allowEmpty: z.boolean().optional(),
  summary: z.string().max(20_000).optional(),
  /** Of a text that this client saved over baseRevision, without having read the answer: that save may be the base, too. */
  unanswered: z.string().max(50).optional(),
});

const savedSchema = z.object({ revision: id, problems: z.array(problemSchema) });
/** The answer of what creates a flow. */
export const createdFlowSchema = savedSchema.extend({ id });

const listedSchema = z.object({
  id,
  name: z.string(),
  agents: z.int(),
  outline: z.string(),
  errors: z.int(),
  tags: z.array(z.string()),
  createdAt: time,
  updatedAt: time,
  runs: z.int(),
  lastRun: z
    .object({
      id,
      status: z.enum([...runStatuses, "INTERRUPTED", "UNREADABLE"]),
      at: time.nullable(),
      endedAt: time.nullable(),
    })
    .nullable(),
});

const trashedSchema = z.object({
  id,
  name: z.string(),
  agents: z.int(),
  runs: z.int(),
  deletedAt: time,
  purgeAt: time,
});

const revisionSchema = z.object({
  id,
  number: z.int(),
  createdAt: time,
  createdBy: z.string(),
  name: z.string().nullable(),
  summary: z.string(),
  runs: z.int(),
});

const publicationSchema = z.object({
  published: z.object({ id, number: z.int(), name: z.string().nullable(), at: time, by: z.string() }).nullable(),
  latest: z.object({ id, number: z.int() }),
  isCurrent: z.boolean(),
  authors: z.array(z.object({ id, name: z.string(), saves: z.int() })),
  mayPublish: z.boolean(),
});

/** Flows, their versions and their trash. */
export const flowOperations = {
  listFlows: {
    method: "GET",
    path: "/flows",
    summary: "Lists flows with their last run, or with trash=1 those in the trash.",
    permission: "flows:read",
    team: true,
    query: z.object({
      q: z.string().max(200).optional(),
      tag: z.string().max(100).optional(),
      sort: z.enum(flowSorts).optional(),
      limit: z.coerce.number().int().min(1).max(500).optional(),
      trash: z.enum(["0", "1"]).optional(),
    }),
    answer: z.union([
      z.object({ flows: z.array(listedSchema), matching: z.int() }),
      z.object({ flows: z.array(trashedSchema) }),
    ]),
  },
  createFlow: {
    method: "POST",
    path: "/flows",
    summary: "Creates a flow from a text, or an empty one.",
    permission: "flows:write",
    team: true,
    body: createSchema,
    status: 201,
    answer: createdFlowSchema,
  },
  getFlow: {
    method: "GET",
    path: "/flows/{id}",
    summary: "A flow with its text, its layout and its problems.",
    permission: "flows:read",
    answer: z.object({
      id,
      name: z.string(),
      source: z.string(),
      layout: layoutSchema,
      revision: id,
      number: z.int(),
      copiedFrom: z.string().nullable(),
      updatedAt: time,
      problems: z.array(problemSchema),
    }),
  },
  saveFlow: {
    method: "PUT",
    path: "/flows/{id}",
    summary: "Saves a new version over baseRevision; 409 with the current one when that is stale.",
    permission: "flows:write",
    body: saveSchema,
    answer: savedSchema,
  },
  changeFlow: {
    method: "PATCH",
    path: "/flows/{id}",
    summary: "Renames a flow, or replaces its tags.",
    permission: "flows:write",
    body: z
      .strictObject({
        name: z.string().max(200).optional(),
        tags: z.array(z.string().max(100)).max(50).optional(),
      })
      .refine(({ name, tags }) => name !== undefined || tags !== undefined, "must have `name` or `tags`"),
    answer: null,
  },
  deleteFlow: {
    method: "DELETE",
    path: "/flows/{id}",
    summary: "Moves a flow to the trash for 30 days; with purge=1 deletes one in the trash for good.",
    permission: "flows:write",
    query: z.object({ purge: z.enum(["0", "1"]).optional() }),
    answer: null,
  },
  restoreFlow: {
    method: "POST",
    path: "/flows/{id}/restore",
    summary: "Takes a flow out of the trash.",
    permission: "flows:write",
    answer: null,
  },
  duplicateFlow: {
    method: "POST",
    path: "/flows/{id}/duplicate",
    summary: "Copies a flow; the copy has its own history.",
    permission: "flows:write",
    status: 201,
    answer: createdFlowSchema,
  },
  confirmReach: {
    method: "POST",
    path: "/flows/{id}/reach",
    summary:
      "Confirms what a flow from elsewhere reaches, as a refused run names it: it may run then. Not for API keys.",
    permission: "runs:write",
    body: z.strictObject({ reach: z.array(z.string().regex(/^(model|tool) [^\n]{1,250}$/)).max(500) }),
    answer: null,
  },
  expectImport: {
    method: "PUT",
    path: "/flows/{id}/reach",
    summary:
      "Tells that text from elsewhere is about to be saved into the flow: what it reaches beyond the newest version has to be confirmed.",
    permission: "flows:write",
    answer: null,
  },
  listRevisions: {
    method: "GET",
    path: "/flows/{id}/revisions",
    summary: "The versions of a flow, newest first, 100 a page; next is the before of the following page.",
    permission: "flows:read",
    query: z.object({ before: z.string().max(100).optional() }),
    answer: z.object({ revisions: z.array(revisionSchema), next: id.nullable() }),
  },
  getRevision: {
    method: "GET",
    path: "/flows/{id}/revisions/{revision}",
    summary: "A version with its text and layout.",
    permission: "flows:read",
    answer: z.object({ id, source: z.string(), layout: layoutSchema }),
  },
  nameRevision: {
    method: "PATCH",
    path: "/flows/{id}/revisions/{revision}",
    summary: "Names a version; a blank name takes its name away.",
    permission: "flows:write",
    body: z.strictObject({ name: z.string().max(longestRevisionName) }),
    answer: null,
  },
  getPublication: {
    method: "GET",
    path: "/flows/{id}/publish",
    summary: "Which version API keys, schedules and webhooks run, and whether the newest differs from it.",
    permission: "flows:read",
    answer: publicationSchema,
  },
  publishFlow: {
    method: "POST",
    path: "/flows/{id}/publish",
    summary: "Publishes a version, by default the newest: API keys, schedules and webhooks run it from then on.",
    permission: "flows:write",
    body: z.strictObject({ revision: z.string().max(100).optional() }),
    answer: publicationSchema,
  },
  unpublishFlow: {
    method: "DELETE",
    path: "/flows/{id}/publish",
    summary: "Takes the published version back: the newest is run again.",
    permission: "flows:write",
    answer: null,
  },
} satisfies Operations;

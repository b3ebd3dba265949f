import "server-only";
import { z } from "zod";
import { payloadSchema, runErrorSchema, runEventSchema, runStatusSchema } from "@/lib/core/run/events/events";
import { messageSchema } from "@/lib/core/run/events/messages";
import { streamEventTypes } from "@/lib/core/run/events/public-stream";
import { conversationPageSchema } from "@/lib/core/trace/conversation/conversation-entries";
import { storedNodeSchema } from "@/lib/core/trace/model/run-state";
import { goalSchema } from "../orchestration/start-orchestration";
import { answerSchema } from "../runs/commands";
import { id, time } from "./answers";
import type { Operations } from "./operation";

const seqSchema = z.coerce.number().int().min(0).max(2_147_483_647);

const agentSchema = z.object({
  id,
  run: id,
  path: z.string(),
  spawned: z.boolean(),
  spawnedId: z.string().nullable(),
  name: z.string(),
  status: runStatusSchema,
  toolCalls: z.int(),
  /** When it was spawned; of others when it began. */
  createdAt: time,
  /** Null while it waits for its turn, with the status INIT. */
  startedAt: time.nullable(),
  endedAt: time.nullable(),
});

const callSchema = z.object({
  step: z.int(),
  tool: z.string(),
  arguments: payloadSchema,
  status: runStatusSchema,
  result: payloadSchema,
  error: z.optional(runErrorSchema),
  startedAt: time,
  endedAt: time.nullable(),
});

/** With the id that `spawn_agent` returned: the run of the agent. */
const agentQuery = z.object({ run: z.string().max(100).optional() });

const resumed = { "Last-Event-ID": "The number of the last event that was received; also as ?after=." };

/** The steps of runs, their texts and events, questions to people, and agents. */
export const stepOperations = {
  getStep: {
    method: "GET",
    path: "/runs/{id}/nodes/{nodeId}",
    summary: "A step with its texts; with cut=1 large ones are cut to their beginning.",
    permission: "runs:read",
    query: z.object({ cut: z.literal("1").optional() }),
    answer: storedNodeSchema,
  },
  getStepText: {
    method: "GET",
    path: "/runs/{id}/nodes/{nodeId}/texts/{field}",
    summary: "The whole of one text of a step: input, output, request, response or reasoning.",
    permission: "runs:read",
    query: z.object({ download: z.literal("1").optional() }),
    answer: "text/plain",
  },
  getStepAgent: {
    method: "GET",
    path: "/runs/{id}/nodes/{nodeId}/agent",
    summary: "The instructions and the model that the agent of a step ran with.",
    permission: "runs:read",
    answer: z.object({ instructions: z.string().nullable(), model: z.string().nullable() }),
  },
  answerQuestion: {
    method: "POST",
    path: "/runs/{id}/nodes/{nodeId}/answer",
    summary: "Answers an approval or a question that a step waits with.",
    permission: "runs:write",
    body: answerSchema,
    answer: null,
  },
  followEvents: {
    method: "GET",
    path: "/runs/{id}/events",
    summary: "The events of a run as server-sent events.",
    permission: "runs:read",
    headers: resumed,
    answer: "text/event-stream",
    event: runEventSchema,
  },
  followStream: {
    method: "GET",
    path: "/runs/{id}/stream",
    summary: "Simplified events of a run as server-sent events; only names their types, joined by commas.",
    permission: "runs:read",
    query: z.object({
      only: z
        .string()
        .transform((text) => text.split(",").filter((type) => type !== ""))
        .pipe(z.array(z.enum(streamEventTypes)))
        .optional(),
    }),
    answer: "text/event-stream",
  },
  followTrace: {
    method: "GET",
    path: "/runs/{id}/trace",
    summary: "What changed since a structure was read, in batches of server-sent events.",
    permission: "runs:read",
    headers: resumed,
    answer: "text/event-stream",
  },
  listTurns: {
    method: "GET",
    path: "/runs/{id}/turns",
    summary: "The conversation of a run: after a position, before one, or around a step (node).",
    permission: "runs:read",
    query: z
      .object({
        node: seqSchema.optional(),
        before: seqSchema.optional(),
        after: seqSchema.default(0),
        limit: z.coerce.number().int().min(1).max(200).default(50),
      })
      .transform(({ node, before, after, limit }) => {
        if (node !== undefined) return { node, limit };
        return before === undefined ? { after, limit } : { before, limit };
      }),
    answer: conversationPageSchema,
  },
  exportTrace: {
    method: "GET",
    path: "/runs/{id}/otlp",
    summary: "A run as an OTLP/JSON file; with content=1 with the texts of its steps.",
    permission: "runs:read",
    query: z.object({ content: z.enum(["0", "1"]).default("0") }),
    answer: z.object({ resourceSpans: z.array(z.looseObject({})) }),
  },
  exportRunFile: {
    method: "GET",
    path: "/runs/{id}/file",
    summary: "A run as one JSON file that another installation opens.",
    permission: "runs:read",
    answer: z.looseObject({
      format: z.literal("swarmloom-run"),
      version: z.int(),
      source: z.string(),
      nodes: z.array(z.looseObject({ id: z.int(), path: z.string() })),
    }),
  },
  startOrchestration: {
    method: "POST",
    path: "/orchestrate",
    summary: "Starts background agents on a goal.",
    permission: "runs:write",
    team: true,
    body: goalSchema,
    status: 202,
    answer: z.object({ run: id, flow: id, agents: z.string() }),
  },
  listAgents: {
    method: "GET",
    path: "/agents",
    summary: "Agents, newest first: of one run, or of the newest runs and of all that have not ended.",
    permission: "runs:read",
    team: true,
    query: agentQuery.extend({ limit: z.coerce.number().int().min(1).max(1000).optional() }),
    answer: z.object({ agents: z.array(agentSchema) }),
  },
  getAgent: {
    method: "GET",
    path: "/agents/{id}",
    summary: "An agent with its task, and with its error where it failed.",
    permission: "runs:read",
    query: agentQuery,
    answer: agentSchema.extend({ task: payloadSchema, error: z.optional(runErrorSchema) }),
  },
  getAgentResult: {
    method: "GET",
    path: "/agents/{id}/result",
    summary: "What an agent came to.",
    permission: "runs:read",
    query: agentQuery,
    otherStatus: [202, "The agent is still at work: the result is its text so far."],
    answer: z.object({
      id,
      status: runStatusSchema,
      isOver: z.boolean(),
      result: payloadSchema,
      error: z.optional(runErrorSchema),
    }),
  },
  getAgentHistory: {
    method: "GET",
    path: "/agents/{id}/history",
    summary: "The conversation of an agent, and its tool calls with their results.",
    permission: "runs:read",
    query: agentQuery,
    answer: z.object({ id, messages: z.array(messageSchema), calls: z.array(callSchema) }),
  },
} satisfies Operations;

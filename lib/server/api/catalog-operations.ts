import "server-only";
import { z } from "zod";
import type { JsonSchema } from "@/lib/core/flow/flow";
import { modelOfferSchema } from "@/lib/core/flow/model-support";
import { templateUses } from "@/lib/templates/catalog";
import { thumbnailSchema } from "../flows/thumbnail-schema";
import type { Operations } from "./operation";

/** A body is JSON already: what a schema holds needs no look that a deep one could overflow. */
const jsonSchemaSchema = z
  .custom<JsonSchema>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    "expected a JSON Schema, which is an object",
  )
  .meta({ type: "object", description: "A JSON Schema." });

/** Models, templates, and what helps while a flow is written. */
export const catalogOperations = {
  searchModels: {
    method: "GET",
    path: "/models",
    summary: "Models to choose from, with what is known of each.",
    permission: "flows:read",
    team: true,
    query: z.strictObject({
      query: z.string().max(200).default(""),
      limit: z.coerce.number().int().min(1).max(100).default(60),
    }),
    answer: z.object({ models: z.array(modelOfferSchema) }),
  },
  listTemplates: {
    method: "GET",
    path: "/templates",
    summary: "The example flows, with their texts.",
    permission: null,
    answer: z.object({
      templates: z.array(
        z.object({
          name: z.string(),
          title: z.string(),
          about: z.string(),
          source: z.string(),
          agents: z.int(),
          picture: thumbnailSchema,
          use: z.enum(templateUses).nullable(),
          input: z.string(),
        }),
      ),
    }),
  },
  checkAnswer: {
    method: "POST",
    path: "/check-answer",
    summary: "Whether a text fits a JSON Schema, as the engine reads answers. Keeps nothing.",
    permission: "flows:read",
    team: true,
    body: z.strictObject({ schema: jsonSchemaSchema, text: z.string().max(500_000) }),
    answer: z.object({ ok: z.boolean(), message: z.string().optional() }),
  },
  getOpenApi: {
    method: "GET",
    path: "/openapi.json",
    summary: "This document.",
    permission: null,
    access: "public",
    answer: z.looseObject({ openapi: z.string() }),
  },
} satisfies Operations;

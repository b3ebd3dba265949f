import "server-only";
import { z } from "zod";
import { createdKeySchema, keyDetailSchema, keySchema } from "../keys/key-setting";
import type { Operations } from "./operation";

/** API keys. */
export const keyOperations = {
  listKeys: {
    method: "GET",
    path: "/keys",
    summary: "The API keys of a team that were not revoked, without their secrets.",
    permission: "team:manage",
    team: true,
    answer: z.object({ keys: z.array(keyDetailSchema) }),
  },
  createKey: {
    method: "POST",
    path: "/keys",
    summary: "Makes an API key; its secret is in this answer only.",
    permission: "team:manage",
    team: true,
    body: keySchema,
    status: 201,
    answer: createdKeySchema,
  },
  revokeKey: {
    method: "DELETE",
    path: "/keys/{id}",
    summary: "Revokes an API key: it is refused from now on.",
    permission: "team:manage",
    answer: null,
  },
} satisfies Operations;

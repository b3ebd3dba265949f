import * as z from "zod/mini";
import type { LocalServer } from "@/lib/server/connections/find-local";
import type { ConnectionDetail } from "@/lib/server/connections/queries";
import type { ConnectionTest } from "@/lib/server/connections/test-connection";
import { fetchJson } from "../_ui/loading/fetch-json";

const address = "/api/v1/connections";

const detailSchema: z.ZodMiniType<ConnectionDetail> = z.object({
  provider: z.string(),
  label: z.string(),
  source: z.nullable(z.enum(["entered", "environment"])),
  problem: z.nullable(z.string()),
  hasKey: z.boolean(),
  lastFour: z.string(),
  baseUrl: z.nullable(z.string()),
  ownUrl: z.nullable(z.string()),
  needsKey: z.boolean(),
  enteredBy: z.nullable(z.string()),
  enteredAt: z.nullable(z.number()),
  lastUsedAt: z.nullable(z.number()),
  environment: z.object({ key: z.string(), url: z.string(), isSet: z.boolean() }),
});

const listSchema = z.object({ connections: z.array(detailSchema) });

const testSchema: z.ZodMiniType<ConnectionTest> = z.object({
  ok: z.boolean(),
  model: z.nullable(z.string()),
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

const serversSchema: z.ZodMiniType<{ servers: LocalServer[] }> = z.object({
  servers: z.array(z.object({ name: z.string(), port: z.number(), baseUrl: z.string(), models: z.array(z.string()) })),
});

/** What is entered. A missing field keeps what is stored. */
export interface ConnectionDraft {
  key?: string;
  baseUrl?: string;
}

const addressOf = (provider: string): string => `${address}/${encodeURIComponent(provider)}`;

export const requestConnections = async (signal?: AbortSignal): Promise<ConnectionDetail[]> =>
  (await fetchJson(address, listSchema, signal && { signal })).connections;

export const saveConnection = (provider: string, json: ConnectionDraft): Promise<ConnectionDetail> =>
  fetchJson(addressOf(provider), detailSchema, { json, method: "PUT" });

export const removeConnection = (provider: string): Promise<ConnectionDetail> =>
  fetchJson(addressOf(provider), detailSchema, { method: "DELETE" });

/** Tests what is stored, or what `json` has. */
export const testConnection = (
  provider: string,
  json: ConnectionDraft & { model?: string },
  signal: AbortSignal,
): Promise<ConnectionTest> => fetchJson(`${addressOf(provider)}/test`, testSchema, { json, signal });

export const findLocalServers = async (signal: AbortSignal): Promise<LocalServer[]> =>
  (await fetchJson(`${address}/find-local`, serversSchema, { json: {}, signal })).servers;

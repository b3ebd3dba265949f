import * as z from "zod/mini";
import { fetchJson, fetchText } from "../_ui/loading/fetch-json";

/** What a link leads to. */
export interface ShareTarget {
  type: "flow" | "run";
  id: string;
  name: string;
}

export const sharedTexts = ["inputs", "outputs", "tools"] as const;
export type SharedTextKind = (typeof sharedTexts)[number];

const linkSchema = z.object({
  id: z.string(),
  runId: z.nullable(z.string()),
  texts: z.array(z.enum(sharedTexts)),
  runs: z.nullable(z.object({ most: z.number(), maxCost: z.number(), started: z.number() })),
  views: z.number(),
  lastViewedAt: z.nullable(z.number()),
  createdBy: z.string(),
  createdAt: z.number(),
  expiresAt: z.nullable(z.number()),
});
export type ShareLink = z.infer<typeof linkSchema>;
const listSchema = z.object({ links: z.array(linkSchema) });
const createdSchema = z.object({ id: z.string(), url: z.string() });
const createdFlowSchema = z.object({ id: z.string() });
const listedSchema = z.object({ listed: z.boolean() });

const toUrl = ({ type, id }: ShareTarget): string => `/api/v1/${type}s/${encodeURIComponent(id)}/links`;

/** The links that can be used, newest first; those of a flow include those of its runs. Throws RequestError. */
export const requestLinks = async (target: ShareTarget, signal: AbortSignal): Promise<ShareLink[]> =>
  (await fetchJson(toUrl(target), listSchema, { cache: "no-store", signal })).links;

export interface NewLink {
  expiresAt?: string;
  runs?: { most: number; maxCost: number };
  texts?: readonly SharedTextKind[];
}

/** Throws RequestError. */
export const createLink = (target: ShareTarget, json: NewLink): Promise<{ id: string; url: string }> =>
  fetchJson(toUrl(target), createdSchema, { json });

/** The id of the copy. Throws RequestError. */
export const copyFlow = async (from: { flow: string } | { token: string }): Promise<string> =>
  (await fetchJson("/api/v1/copies", createdFlowSchema, { json: from })).id;

const galleryUrl = (flowId: string): string => `/api/v1/flows/${encodeURIComponent(flowId)}/gallery`;

/** Whether everyone sees a flow in the gallery. Throws RequestError. */
export const requestListed = async (flowId: string, signal: AbortSignal): Promise<boolean> =>
  (await fetchJson(galleryUrl(flowId), listedSchema, { cache: "no-store", signal })).listed;

/** Throws RequestError. */
export const setListed = (flowId: string, listed: boolean): Promise<unknown> =>
  fetchText(galleryUrl(flowId), { method: "PUT", json: { listed } });

/** Throws RequestError. */
export const revokeLink = (id: string): Promise<unknown> => fetchText(`/api/v1/links/${id}`, { method: "DELETE" });

import * as z from "zod/mini";
import { fetchJson, fetchText } from "@/app/_ui/loading/fetch-json";
import { snapshotSchema } from "../../state/save/snapshot-schema";

const versionSchema = z.object({
  id: z.string(),
  number: z.number(),
  createdAt: z.number(),
  createdBy: z.string(),
  name: z.nullable(z.string()),
  summary: z.string(),
  runs: z.number(),
});
export type Version = z.infer<typeof versionSchema>;

const pageSchema = z.object({ revisions: z.array(versionSchema), next: z.nullable(z.string()) });

const toUrl = (flowId: string, rest = ""): string => `/api/v1/flows/${encodeURIComponent(flowId)}/revisions${rest}`;

/** One page of the versions of a flow, newest first. Throws RequestError. */
export const requestVersions = (flowId: string, before: string | null, signal?: AbortSignal) =>
  fetchJson(toUrl(flowId, before === null ? "" : `?before=${before}`), pageSchema, {
    cache: "no-store",
    ...(signal && { signal }),
  });

/** The text and layout of a version. Throws RequestError. */
export const requestVersion = (flowId: string, id: string, signal: AbortSignal) =>
  fetchJson(toUrl(flowId, `/${id}`), snapshotSchema, { signal });

/** A blank name takes the name away. Throws RequestError. */
export const nameVersion = (flowId: string, id: string, name: string): Promise<unknown> =>
  fetchText(toUrl(flowId, `/${id}`), { method: "PATCH", json: { name } });

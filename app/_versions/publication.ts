import * as z from "zod/mini";
import { fetchJson, fetchText } from "../_ui/loading/fetch-json";

const publicationSchema = z.object({
  published: z.nullable(
    z.object({ id: z.string(), number: z.number(), name: z.nullable(z.string()), at: z.number(), by: z.string() }),
  ),
  latest: z.object({ id: z.string(), number: z.number() }),
  isCurrent: z.boolean(),
  authors: z.array(z.object({ id: z.string(), name: z.string(), saves: z.number() })),
  mayPublish: z.boolean(),
});
/** Which version API keys, schedules and webhooks run. */
export type Publication = z.infer<typeof publicationSchema>;

const toUrl = (flowId: string): string => `/api/v1/flows/${encodeURIComponent(flowId)}/publish`;

/** Throws RequestError. */
export const requestPublication = (flowId: string, signal: AbortSignal): Promise<Publication> =>
  fetchJson(toUrl(flowId), publicationSchema, { cache: "no-store", signal });

/** Throws RequestError. */
export const publishVersion = (flowId: string, revision: string): Promise<Publication> =>
  fetchJson(toUrl(flowId), publicationSchema, { json: { revision } });

/** Throws RequestError. */
export const unpublish = (flowId: string): Promise<unknown> => fetchText(toUrl(flowId), { method: "DELETE" });

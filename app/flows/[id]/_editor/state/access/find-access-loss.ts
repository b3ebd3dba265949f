import * as z from "zod/mini";
import type { Access } from "@/app/_ui/access/access";
import { fetchJson, RequestError } from "@/app/_ui/loading/fetch-json";
import type { AccessLoss } from "../save/autosave";

const meSchema = z.object({ user: z.object({ id: z.string() }), teams: z.array(z.object({ id: z.string() })) });
const publicationSchema = z.object({ mayPublish: z.boolean() });

/** The account that the page was opened with; undefined: people do not sign in here. */
const accountOfPage = (): string | undefined => globalThis.document?.documentElement.dataset.user;

/** Why the user of the page can no longer open or change a flow; null: the user still can. Throws RequestError when the server does not tell. */
export async function findAccessLoss(flowId: string, { team, mayEdit }: Access): Promise<AccessLoss | null> {
  const me = await request("/api/v1/me", meSchema);
  if (me === null) return "signed-out";
  if (accountOfPage() !== undefined && me.user.id !== accountOfPage()) return "other-account";
  const publication = await request(`/api/v1/flows/${encodeURIComponent(flowId)}/publish`, publicationSchema);
  if (publication === null)
    return team === null || me.teams.some(({ id }) => id === team) ? "flow-deleted" : "left-team";
  return mayEdit && !publication.mayPublish ? "read-only" : null;
}

const refusals = [401, 403, 404];

/** Null when the server refuses it to this user. Throws RequestError for every other failure. */
async function request<T>(url: string, schema: { parse(value: unknown): T }): Promise<T | null> {
  try {
    return await fetchJson(url, schema, { cache: "no-store" });
  } catch (error) {
    if (error instanceof RequestError && refusals.includes(error.status)) return null;
    throw error;
  }
}

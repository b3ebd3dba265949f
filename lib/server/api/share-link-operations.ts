import "server-only";
import { z } from "zod";
import { createdLinkSchema, flowLinkSchema, runLinkSchema, shareLinkSchema } from "../share-links/share-link-setting";
import { createdFlowSchema } from "./flow-operations";
import type { Operations } from "./operation";

const listSchema = z.object({ links: z.array(shareLinkSchema) });

/** Links under which everyone sees a flow, or a run. */
export const shareLinkOperations = {
  listFlowLinks: {
    method: "GET",
    path: "/flows/{id}/links",
    summary: "The share links of a flow and of its runs that can be used.",
    permission: "shares:write",
    answer: listSchema,
  },
  createFlowLink: {
    method: "POST",
    path: "/flows/{id}/links",
    summary: "Makes a link to a flow; with runs, its visitors may start some. The address is in this answer only.",
    permission: "shares:write",
    body: flowLinkSchema,
    status: 201,
    answer: createdLinkSchema,
  },
  listRunLinks: {
    method: "GET",
    path: "/runs/{id}/links",
    summary: "The share links of a run that can be used.",
    permission: "shares:write",
    answer: listSchema,
  },
  createRunLink: {
    method: "POST",
    path: "/runs/{id}/links",
    summary: "Makes a link to a run, with the texts that it names. The address is in this answer only.",
    permission: "shares:write",
    body: runLinkSchema,
    status: 201,
    answer: createdLinkSchema,
  },
  revokeLink: {
    method: "DELETE",
    path: "/links/{id}",
    summary: "Revokes a share link.",
    permission: "shares:write",
    answer: null,
  },
  getGalleryState: {
    method: "GET",
    path: "/flows/{id}/gallery",
    summary: "Whether everyone sees a flow in the gallery of this server.",
    permission: "flows:read",
    answer: z.object({ listed: z.boolean() }),
  },
  setGalleryState: {
    method: "PUT",
    path: "/flows/{id}/gallery",
    summary: "Shows a flow to everyone in the gallery of this server, or no longer.",
    permission: "team:manage",
    body: z.strictObject({ listed: z.boolean() }),
    answer: null,
  },
  copyPublicFlow: {
    method: "POST",
    path: "/copies",
    summary: "Copies a flow of the gallery, or of a share link, into a team.",
    permission: "flows:write",
    team: true,
    body: z.union([
      z.strictObject({ flow: z.string().min(1).max(200) }),
      z.strictObject({ token: z.string().min(1).max(200) }),
    ]),
    status: 201,
    answer: createdFlowSchema,
  },
} satisfies Operations;

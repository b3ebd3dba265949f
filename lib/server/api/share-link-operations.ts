import "server-only";
import { z } from "zod";
import { createdLinkSchema, flowLinkSchema, runLinkSchema, shareLinkSchema } from "../share-links/share-link-setting";
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
} satisfies Operations;

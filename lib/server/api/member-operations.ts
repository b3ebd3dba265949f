import "server-only";
import { z } from "zod";
import { roleInputSchema, roleSchema } from "../auth/permissions";
import { personalKeySchema } from "../connections/personal-keys";
import { id, time } from "./answers";
import type { Operations } from "./operation";

const teamSchema = z.object({ id, name: z.string(), role: roleSchema });
const nameSchema = z.strictObject({ name: z.string().max(200) });

const personalKeyDetail = z.object({
  provider: z.string(),
  label: z.string(),
  entered: z
    .object({ lastFour: z.string(), at: time, lastUsedAt: time.nullable(), problem: z.string().nullable() })
    .nullable(),
});

const exportedFlowSchema = z.object({
  id,
  name: z.string(),
  deletedAt: z.iso.datetime().nullable(),
  tags: z.array(z.string()),
  revisions: z.array(
    z.object({
      id,
      createdAt: z.iso.datetime(),
      createdBy: z.string(),
      name: z.string().nullable(),
      source: z.string(),
      layout: z.string(),
    }),
  ),
});

/** Teams, their members and invitations. */
export const memberOperations = {
  listPersonalKeys: {
    method: "GET",
    path: "/me/keys",
    summary: "The viewer's own keys of providers, without the keys.",
    permission: null,
    answer: z.object({ keys: z.array(personalKeyDetail) }),
  },
  savePersonalKey: {
    method: "PUT",
    path: "/me/keys/{provider}",
    summary: "Sets the viewer's own key of a provider, which runs can be started with.",
    permission: null,
    body: personalKeySchema,
    answer: personalKeyDetail,
  },
  removePersonalKey: {
    method: "DELETE",
    path: "/me/keys/{provider}",
    summary: "Removes the viewer's own key of a provider.",
    permission: null,
    answer: personalKeyDetail,
  },
  getMe: {
    method: "GET",
    path: "/me",
    summary: "Who makes the request, and the teams with the role in each.",
    permission: null,
    answer: z.object({ user: z.object({ id, name: z.string() }), teams: z.array(teamSchema) }),
  },
  listTeams: {
    method: "GET",
    path: "/teams",
    summary: "The teams of the one who makes the request.",
    permission: null,
    answer: z.object({ teams: z.array(teamSchema) }),
  },
  createTeam: {
    method: "POST",
    path: "/teams",
    summary: "Creates a team, which belongs to the person who makes the request.",
    permission: null,
    body: nameSchema,
    status: 201,
    answer: teamSchema,
  },
  renameTeam: {
    method: "PATCH",
    path: "/teams/{id}",
    summary: "Renames a team.",
    permission: "team:manage",
    body: nameSchema,
    answer: null,
  },
  deleteTeam: {
    method: "DELETE",
    path: "/teams/{id}",
    summary: "Deletes a team with its flows, runs and settings, for good; the body names it, to confirm.",
    permission: "team:own",
    body: nameSchema,
    answer: null,
  },
  exportTeam: {
    method: "GET",
    path: "/teams/{id}/export",
    summary: "The flows of a team with all their versions, as a file.",
    permission: "team:manage",
    answer: z.object({ team: z.object({ id, name: z.string() }), flows: z.array(exportedFlowSchema) }),
  },
  listMembers: {
    method: "GET",
    path: "/teams/{id}/members",
    summary: "The members of a team.",
    permission: "flows:read",
    answer: z.object({
      members: z.array(z.object({ userId: id, name: z.string(), email: z.string(), role: roleSchema, joinedAt: time })),
    }),
  },
  changeMember: {
    method: "PATCH",
    path: "/teams/{id}/members/{userId}",
    summary: "Gives a member another role.",
    permission: "team:manage",
    body: z.strictObject({ role: roleInputSchema }),
    answer: null,
  },
  removeMember: {
    method: "DELETE",
    path: "/teams/{id}/members/{userId}",
    summary: "Removes a member from a team, and withdraws the member's invitations; every member may leave.",
    permission: "team:manage",
    answer: null,
  },
  listMemberCreations: {
    method: "GET",
    path: "/teams/{id}/members/{userId}/creations",
    summary: "Share links, webhooks and schedules of a member that go on after the member has left.",
    permission: "team:manage",
    answer: z.object({
      creations: z.array(
        z.object({
          type: z.enum(["link", "webhook", "schedule"]),
          id,
          name: z.string(),
          flowId: id,
          runId: id.nullable(),
        }),
      ),
    }),
  },
  createResetLink: {
    method: "POST",
    path: "/teams/{id}/members/{userId}/reset-link",
    summary: "Makes a link with which a member sets a new password, who is told by mail. Not for API keys.",
    permission: "team:manage",
    status: 201,
    answer: z.object({ url: z.string() }),
  },
  listInvitations: {
    method: "GET",
    path: "/teams/{id}/invitations",
    summary: "The invitations of a team that can still be used, without their links.",
    permission: "team:manage",
    answer: z.object({
      invitations: z.array(
        z.object({ id, role: roleSchema, email: z.string().nullable(), createdBy: z.string(), expiresAt: time }),
      ),
    }),
  },
  createInvitation: {
    method: "POST",
    path: "/teams/{id}/invitations",
    summary: "Makes a link with which one person joins a team within seven days. API keys invite up to Editor.",
    permission: "team:manage",
    body: z.strictObject({
      email: z.email("expected an address such as ann@example.com").max(320).nullish(),
      role: roleInputSchema,
    }),
    status: 201,
    answer: z.object({ id, url: z.string(), token: z.string(), isMailed: z.boolean() }),
  },
  withdrawInvitation: {
    method: "DELETE",
    path: "/teams/{id}/invitations/{invitationId}",
    summary: "Withdraws an invitation.",
    permission: "team:manage",
    answer: null,
  },
  acceptInvitation: {
    method: "POST",
    path: "/invitations/{token}/accept",
    summary: "Joins the team of an invitation.",
    permission: null,
    answer: z.object({ team: teamSchema }),
  },
  listFlowMembers: {
    method: "GET",
    path: "/flows/{id}/members",
    summary: "The members who have another role in a flow than in its team.",
    permission: "flows:read",
    answer: z.object({ members: z.array(z.object({ userId: id, name: z.string(), role: roleSchema })) }),
  },
  changeFlowMember: {
    method: "PUT",
    path: "/flows/{id}/members/{userId}",
    summary: "Sets the role of a member in a flow; null: the role in the team holds again.",
    permission: "team:manage",
    body: z.strictObject({ role: roleInputSchema.nullable() }),
    answer: null,
  },
} satisfies Operations;

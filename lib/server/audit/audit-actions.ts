import "server-only";
import { z } from "zod";

/** Everything that the audit log records, with the words of its page. A name never changes its meaning. */
export const actionWords = {
  "flow.created": "created the flow",
  "flow.duplicated": "duplicated a flow as",
  "flow.changed": "changed the flow",
  "flow.renamed": "renamed the flow to",
  "flow.tagged": "changed the tags of the flow",
  "flow.trashed": "moved to the trash the flow",
  "flow.restored": "restored the flow",
  "flow.purged": "deleted for good the flow",
  "revision.named": "named a version of the flow",
  "flow.published": "published a version of the flow",
  "flow.unpublished": "took back the published version of the flow",
  "review.requested": "requested a review of a version of the flow",
  "review.decided": "decided the review of a version of the flow",
  "comment.deleted": "deleted a comment on the flow",
  "run.started": "started a run of",
  "run.forked": "forked a run of",
  "run.retried": "retried a run of",
  "run.paused": "paused a run of",
  "run.resumed": "resumed a run of",
  "run.cancelled": "cancelled a run of",
  "run.answered": "answered in a run of",
  "run.messaged": "sent a message to an agent in a run of",
  "run.exported": "exported a run of",
  "runs.exported": "exported the list of runs of",
  "schedule.created": "created the schedule",
  "schedule.changed": "changed the schedule",
  "schedule.deleted": "deleted the schedule",
  "webhook.created": "created the webhook",
  "webhook.changed": "changed the webhook",
  "webhook.renewed": "made a new secret for the webhook",
  "webhook.deleted": "deleted the webhook",
  "connection.listed": "looked at the connections of",
  "connection.saved": "saved the connection to",
  "connection.removed": "removed the connection to",
  "connection.tested": "tested the connection to",
  "trace-export.changed": "changed the trace export of",
  "trace-export.tested": "tested the trace export of",
  "retention.changed": "changed the retention of",
  "approvals.changed": "changed the rule for approvals of",
  "key.created": "created the API key",
  "key.revoked": "revoked the API key",
  "team.renamed": "renamed the team",
  "team.exported": "exported all flows of",
  "member.invited": "invited to the team",
  "invitation.withdrawn": "withdrew the invitation of",
  "member.joined": "accepted the invitation of",
  "member.changed": "changed the role of",
  "member.removed": "removed from the team",
  "member.reset": "made a link for a new password of",
  "flow.shared": "changed who may do what in the flow",
  "audit.exported": "exported the audit log of",
} as const;

export const auditActions = z.enum(Object.keys(actionWords) as [AuditAction, ...AuditAction[]]).options;
export type AuditAction = keyof typeof actionWords;

export const auditObjectTypes = ["flow", "run", "schedule", "webhook", "connection", "key", "member", "team"] as const;
export type AuditObjectType = (typeof auditObjectTypes)[number];

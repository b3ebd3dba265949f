import "server-only";
import { z } from "zod";
import { auditEntrySchema, auditFilterSchema, longestAuditPage } from "../audit/audit-queries";
import type { Operations } from "./operation";

const shared = { method: "GET", permission: "team:manage", team: true } as const;

/** The audit log. */
export const auditOperations = {
  listAudit: {
    ...shared,
    path: "/audit",
    summary: "Who did what in a team, newest first; next is the before of the following page.",
    query: auditFilterSchema.extend({
      before: z.string().max(150).optional(),
      limit: z.coerce.number().int().min(1).max(longestAuditPage).optional(),
    }),
    answer: z.object({ entries: z.array(auditEntrySchema), next: z.string().nullable() }),
  },
  exportAuditCsv: {
    ...shared,
    path: "/audit/export.csv",
    summary: "The entries that a filter means as CSV. The export itself is recorded.",
    query: auditFilterSchema,
    answer: "text/csv",
  },
  exportAuditLines: {
    ...shared,
    path: "/audit/export.jsonl",
    summary: "The entries that a filter means, each a line of JSON. The export itself is recorded.",
    query: auditFilterSchema,
    answer: "application/jsonl",
  },
} satisfies Operations;

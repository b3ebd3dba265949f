import { auditOperations } from "@/lib/server/api/audit-operations";
import { listAudit } from "@/lib/server/audit/audit-queries";
import { readQuery, teamRoute } from "@/lib/server/http/route";

export const GET = teamRoute((viewer, request) =>
  listAudit(viewer, readQuery(request, auditOperations.listAudit.query)),
);

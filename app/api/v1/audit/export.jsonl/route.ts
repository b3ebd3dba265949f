import { auditOperations } from "@/lib/server/api/audit-operations";
import { exportAudit } from "@/lib/server/audit/export-audit";
import { readQuery, teamRoute, toTextDownload } from "@/lib/server/http/route";

export const GET = teamRoute(async (viewer, request) => {
  const body = await exportAudit(viewer, readQuery(request, auditOperations.exportAuditLines.query), "jsonl");
  return toTextDownload(body, { name: "audit.jsonl", type: "application/jsonl" });
});

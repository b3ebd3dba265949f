import { auditOperations } from "@/lib/server/api/audit-operations";
import { exportAudit } from "@/lib/server/audit/export-audit";
import { readQuery, teamRoute } from "@/lib/server/http/route";

export const GET = teamRoute(async (viewer, request) => {
  const body = await exportAudit(viewer, readQuery(request, auditOperations.exportAuditCsv.query), "csv");
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="audit.csv"',
      "cache-control": "no-store",
    },
  });
});

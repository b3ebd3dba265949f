import "server-only";
import { z } from "zod";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { inTeamsOf, requireTeam, type Viewer } from "../auth/viewer";
import { getDb } from "../db";
import type { TraceExportDetail } from "./trace-export-setting";

export const headersSchema = z.record(z.string(), z.string());

/** Where the viewer's team sends its runs; null before it is set. Throws AppError `forbidden` unless the viewer manages its team. */
export async function findTraceExport(viewer: Viewer): Promise<TraceExportDetail | null> {
  const teamId = requireTeam(viewer, "team:manage");
  const db = await getDb();
  const row = await db.traceExport.findFirst({ where: { AND: [{ teamId }, inTeamsOf(viewer, "team:manage")] } });
  if (!row) return null;
  const { endpoint, headers, content, enabled, updatedAt, lastSentAt, lastError } = row;
  return {
    endpoint,
    headers: parseJsonAs(headers, headersSchema),
    content,
    enabled,
    updatedAt: updatedAt.getTime(),
    lastSentAt: lastSentAt?.getTime() ?? null,
    lastError,
  };
}

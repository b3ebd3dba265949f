import "server-only";
import { requireTeam, type Viewer } from "../auth/viewer";
import { toCsvLine } from "../csv";
import { getDb } from "../db";
import { type AuditFilter, type AuditLogEntry, listAudit, longestAuditPage } from "./audit-queries";
import { recordAudit, toTeamObject } from "./record-audit";

/** `csv` for spreadsheets (RFC 4180), `jsonl`: an entry a line as JSON. */
export type AuditFormat = "csv" | "jsonl";

const columns = ["at", "actor", "actor_id", "action", "object_type", "object", "object_id", "detail", "id"] as const;

const toCsv = ({ id, at: timeMs, actor, action, object, detail }: AuditLogEntry): string =>
  toCsvLine([
    new Date(timeMs).toISOString(),
    actor.name,
    actor.id,
    action,
    object.type,
    object.name,
    object.id,
    JSON.stringify(detail),
    id,
  ]);
const toJsonLine = (entry: AuditLogEntry): string => `${JSON.stringify(entry)}\n`;

const formats: Record<AuditFormat, { head: string; toLine(entry: AuditLogEntry): string }> = {
  csv: { head: `\uFEFF${toCsvLine(columns)}`, toLine: toCsv },
  jsonl: { head: "", toLine: toJsonLine },
};

/**
 * The entries that a filter means, newest first, as a file that is read page by page. The export itself is recorded, before
 * anything is read. Throws AppError as `listAudit` does.
 */
export async function exportAudit(
  viewer: Viewer,
  filter: AuditFilter,
  format: AuditFormat,
): Promise<ReadableStream<Uint8Array>> {
  const teamId = requireTeam(viewer, "team:manage");
  const object = toTeamObject(teamId);
  await recordAudit(await getDb(), viewer, { teamId, action: "audit.exported", object, detail: { format } });
  const { head, toLine } = formats[format];
  const encoder = new TextEncoder();
  const read = (before?: string) => listAudit(viewer, { ...filter, before, limit: longestAuditPage });
  let page = await read();
  let start = head;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      controller.enqueue(encoder.encode(start + page.entries.map(toLine).join("")));
      start = "";
      if (page.next === null) controller.close();
      else page = await read(page.next);
    },
  });
}

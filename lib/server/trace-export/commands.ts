import "server-only";
import { randomUUID } from "node:crypto";
import { toSpanId, toTraceId } from "@/lib/core/trace/otlp/ids";
import { type Span, spanKinds, toAttributes, toNano } from "@/lib/core/trace/otlp/otlp";
import { AppError } from "../app-error";
import { recordAudit, toTeamObject } from "../audit/record-audit";
import { inTeamsOf, requireScope, requireTeam, type Viewer } from "../auth/viewer";
import { getDb } from "../db";
import { logger } from "../log/logger";
import { usesEnvironment } from "../team-env";
import { postSpans } from "./post-spans";
import { findTraceExport } from "./queries";
import type { TraceExportDetail, TraceExportSetting } from "./trace-export-setting";

/**
 * Sets where the viewer's team sends its runs. Only runs that end while it is on are ever sent. Throws AppError
 * `forbidden` unless the viewer manages its team, and may read the runs that it sends.
 */
export async function saveTraceExport(viewer: Viewer, setting: TraceExportSetting): Promise<TraceExportDetail | null> {
  const teamId = requireTeam(viewer, "team:manage");
  if (setting.enabled || setting.content) requireScope(viewer, "runs:read");
  assertOwnHeaders(teamId, setting);
  const db = await getDb();
  const now = new Date();
  const { endpoint, content, enabled } = setting;
  const row = { endpoint, content, enabled, headers: JSON.stringify(setting.headers), updatedAt: now };
  const previousSetting = await db.traceExport.findFirst({
    where: { AND: [{ teamId }, inTeamsOf(viewer, "team:manage")] },
    select: { enabled: true },
  });
  const since = previousSetting?.enabled ? {} : { since: now };
  const object = toTeamObject(teamId);
  await db.$transaction(async (tx) => {
    await tx.traceExport.upsert({
      where: { teamId },
      create: { teamId, since: now, ...row },
      update: { ...row, ...since, lastError: null },
    });
    const detail = { endpoint, content, enabled };
    await recordAudit(tx, viewer, { teamId, action: "trace-export.changed", object, detail });
  });
  logger.info({ team: teamId, by: viewer.id, endpoint, content, enabled }, "trace export was set");
  return findTraceExport(viewer);
}

/** The values of headers are in the environment, which is not every team's. Throws AppError `bad_request`. */
function assertOwnHeaders(teamId: string, { headers }: TraceExportSetting): void {
  if (usesEnvironment(teamId) || Object.keys(headers).length === 0) return;
  throw new AppError("bad_request", "`headers`: only the first team of this server uses variables of its environment.");
}

/** What a collector answered to the test span. */
export interface TestAnswer {
  ok: boolean;
  /** The collector's status and text, or why it did not answer. Contains no secret. */
  message: string;
  milliseconds: number;
}

/** Sends one span with this setting, saved or not. Throws AppError `forbidden` unless the viewer manages its team. */
export async function sendTestSpan(viewer: Viewer, setting: TraceExportSetting): Promise<TestAnswer> {
  const teamId = requireTeam(viewer, "team:manage");
  assertOwnHeaders(teamId, setting);
  const object = toTeamObject(teamId);
  const detail = { endpoint: setting.endpoint };
  await recordAudit(await getDb(), viewer, { teamId, action: "trace-export.tested", object, detail });
  const startedAt = Date.now();
  const posted = await postSpans({ ...setting, teamId }, [JSON.stringify(toTestSpan(startedAt))]);
  const message = posted.ok ? `Status ${posted.status}: the collector took the span.` : posted.problem;
  return { ok: posted.ok, message, milliseconds: Date.now() - startedAt };
}

/** A span of no run, for looking whether it arrives. */
function toTestSpan(now: number): Span {
  const id = randomUUID();
  return {
    traceId: toTraceId(id),
    spanId: toSpanId(id, 1),
    name: "swarmloom test",
    kind: spanKinds.internal,
    startTimeUnixNano: toNano(now),
    endTimeUnixNano: toNano(now + 1),
    attributes: toAttributes({ "swarmloom.test": true }),
    events: [],
    status: {},
  };
}

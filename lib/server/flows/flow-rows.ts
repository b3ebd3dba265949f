import "server-only";
import { createHash, randomUUID } from "node:crypto";
import { emptyLayout } from "@/lib/core/flow/edit";
import { limits } from "@/lib/core/flow/flow";
import { formatCount } from "@/lib/core/flow/format-count";
import type { Problem } from "@/lib/core/flow/problem";
import { readTemplates } from "@/lib/templates/files";
import { AppError } from "../app-error";
import { type AuditEntry, toAuditRow } from "../audit/record-audit";
import { localTeamId, localViewer, type Viewer } from "../auth/viewer";
import { type ReadingTurn, readFlowOutline } from "../cpu-worker/read-flow-text";
import type { Db } from "../db";
import { currentOffer } from "../offer";

/** What a save comes to: the new revision, and what is wrong with its text. */
export interface SavedFlow {
  revision: string;
  problems: readonly Problem[];
}

/** What a list shows of a flow, read from its text at every save, and its problems. Throws AppError: `too_large`, `rate_limited`. */
export async function readOutline(source: string, turn: ReadingTurn & { teamId: string }) {
  if (source.length > limits.sourceLength)
    throw new AppError(
      "too_large",
      `A flow has at most ${formatCount(limits.sourceLength)} characters; this one has ${formatCount(source.length)}.`,
    );
  return readFlowOutline(source, currentOffer(turn.teamId), turn);
}

export const hashOf = (source: string, layout: string): string =>
  createHash("sha256").update(source).update("\0").update(layout).digest("hex");

interface NewRevision {
  id: string;
  flowId: string;
  source: string;
  layout: string;
  createdAt: Date;
  author: Viewer;
  /** Missing: it is the first one of its flow. */
  number?: number;
  summary?: string;
}

export const toRevisionRow = ({ author, ...revision }: NewRevision) => ({
  ...revision,
  hash: hashOf(revision.source, revision.layout),
  createdById: author.id,
  createdBy: author.name,
});

/** The template that a new database starts with. */
const firstTemplate = "demo-article";

/** Gives a new database the demo flow, so that the first page has something to run. */
export async function createFirstFlow(db: Db): Promise<void> {
  const source = readTemplates().get(firstTemplate);
  if (source === undefined) throw new Error(`the template ${firstTemplate} is missing`);
  await insertFlow(db, { teamId: localTeamId, source, layout: JSON.stringify(emptyLayout) });
}

interface NewFlow {
  teamId: string;
  source: string;
  layout: string;
  /** As the column has them. */
  tags?: string;
  /** What it was copied from, in words. */
  copiedFrom?: string | null;
  /** It comes from elsewhere: before its first run a member confirms what it reaches. */
  isForeign?: boolean;
  author?: Viewer;
  /** How the audit log records it; missing: not at all. */
  audit?: Pick<AuditEntry, "action" | "detail">;
}

/** Inserts a flow with its first revision, in one transaction. Throws AppError `too_large`. */
export async function insertFlow(
  db: Db,
  { teamId, source, layout, tags = "", copiedFrom = null, isForeign = false, author = localViewer, audit }: NewFlow,
): Promise<SavedFlow & { id: string }> {
  const { outline, problems } = await readOutline(source, { teamId, userId: author.id });
  const [id, revision, now] = [randomUUID(), randomUUID(), new Date()];
  const object = { type: "flow", id, name: outline.name } as const;
  await db.$transaction([
    db.flow.create({
      data: {
        id,
        teamId,
        tags,
        copiedFrom,
        reach: isForeign ? "" : null,
        ...outline,
        revisionId: revision,
        createdAt: now,
        updatedAt: now,
      },
    }),
    db.revision.create({
      data: toRevisionRow({ id: revision, flowId: id, source, layout, createdAt: now, author }),
    }),
    ...(audit ? [db.auditEvent.create({ data: toAuditRow(author, { teamId, object, ...audit }) })] : []),
  ]);
  return { id, revision, problems };
}

import "server-only";
import { createHash, randomUUID } from "node:crypto";
import { printFlow } from "@/lib/core/dsl/print";
import { emptyLayout } from "@/lib/core/flow/edit";
import { type Flow, limits } from "@/lib/core/flow/flow";
import { countNouns, formatCount } from "@/lib/core/flow/format-count";
import { errorsOf, type Problem } from "@/lib/core/flow/problem";
import { rosterOf } from "@/lib/core/kinds/swarm-roster";
import { toThumbnail } from "@/lib/core/layout/thumbnail/to-thumbnail";
import { readSource } from "@/lib/core/source/read-source";
import { readTemplates } from "@/lib/templates/files";
import { AppError } from "../app-error";
import { type AuditEntry, toAuditRow } from "../audit/record-audit";
import { localTeamId, localViewer, type Viewer } from "../auth/viewer";
import type { Db } from "../db";
import { currentOffer } from "../offer";

/** What a save comes to: the new revision, and what is wrong with its text. */
export interface SavedFlow {
  revision: string;
  problems: readonly Problem[];
}

/** What a list shows of a flow, read from its text at every save, and its problems. Throws AppError `too_large`. */
export function readOutline(source: string, teamId: string) {
  if (source.length > limits.sourceLength)
    throw new AppError(
      "too_large",
      `A flow has at most ${formatCount(limits.sourceLength)} characters; this one has ${formatCount(source.length)}.`,
    );
  const { flow, problems } = readSource(source, currentOffer(teamId));
  const columns: FlowColumns = {
    name: flow.name.slice(0, 200),
    outline: describeSwarm(flow).slice(0, 400),
    agents: flow.agents.size,
    // Keys come and go without a save.
    errors: errorsOf(problems).filter(({ code }) => code !== "missing-key").length,
    search: toSearchText(flow),
    picture: JSON.stringify(toThumbnail(flow)),
  };
  return { outline: columns, problems };
}

interface FlowColumns {
  name: string;
  outline: string;
  agents: number;
  errors: number;
  search: string;
  picture: string;
}

/** What the root swarm is: the DSL text of a workflow, else its mode and size; empty when there is nothing in it. */
function describeSwarm({ swarm, agents }: Flow): string {
  const count = rosterOf(swarm).length || agents.size;
  const members = countNouns(count, "agent");
  switch (swarm.mode) {
    case "workflow":
      if (swarm.flow) return printFlow(swarm.flow);
      return swarm.edges ? `Unfinished drawing, ${members}` : "";
    case "team":
      return `Team of ${count}`;
    case "handoff":
      return `Handoff, ${members}`;
    case "orchestrate":
      return `Orchestrator, ${members}`;
  }
}

/** How much of a flow can be searched, in UTF-16 units. */
const searchedUnits = 100_000;

/** What is kept of a flow for its search: names, agents and instructions in lower case. Never empty. */
function toSearchText({ name, description = "", agents, groups, swarms, controls }: Flow): string {
  const lines = [name, description, ...groups.keys(), ...swarms.keys(), ...controls.keys(), ...agents.keys()];
  for (const { model = "", description: role = "", instructions = "" } of agents.values())
    lines.push(model, role, instructions);
  return `${lines.join("\n").slice(0, searchedUnits).toLowerCase()}\n`;
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
  const { outline, problems } = readOutline(source, teamId);
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

import { randomUUID } from "node:crypto";
import { hashSecret } from "@/lib/server/auth/token";
import { localTeamId } from "@/lib/server/auth/viewer";
import type { BulkDatabase } from "@/lib/server/runs/testing/bulk-database";
import { copyRuns } from "@/lib/server/runs/testing/copy-runs";
import { sketchRuns } from "@/lib/server/runs/testing/run-sketches";
import { type BulkRow, insertRows } from "./insert-rows";

/** How much a team has. */
export interface TeamSize {
  people: number;
  flows: number;
  runs: number;
}

/** A flow that the server made, its only version, and a run of it that the server drove. */
export interface TeamTemplate {
  flow: string;
  revision: string;
  run: string;
}

interface Person {
  id: string;
  name: string;
}

interface FlowRow extends Person {
  template: TeamTemplate;
  revisions: string[];
}

const day = 86_400_000;
const [revisionsOfFlow, commentsOfFlow, auditCount, notices] = [8, 6, 30_000, 400];
const roles = ["admin", "editor", "editor", "runner", "viewer"];

/** A team and its tokens of links, by plain SQL: what its people would have made in some months. */
export async function fillTeam(
  database: BulkDatabase,
  { people: peopleCount, flows: flowCount, runs: runCount }: TeamSize,
  templates: readonly TeamTemplate[],
  ownerEmail: string,
) {
  const now = Date.now();
  const at = (index: number, count: number): Date => new Date(now - Math.round(((count - index) / count) * 90 * day));
  const people = await insertPeople(database, peopleCount - 1, at);
  const flows = await insertFlows(database, flowCount, templates, people, at);
  const runs = await insertRuns(database, runCount, flows, now);
  await insertComments(database, flows, people, at, ownerEmail);
  const tokens = await insertLinks(database, flows, runs, people, at);
  await insertTriggers(database, flows, people, at);
  await insertRows(
    database,
    "AuditEvent",
    Array.from({ length: auditCount }, (_, index) => {
      const [{ id, name }, flow] = [pick(people, index), pick(flows, index)];
      const object = { objectType: "flow", objectId: flow.id, objectName: flow.name };
      const search = `${name}\n${flow.name}`.toLowerCase();
      const by = { actorId: id, actorName: name, action: index % 3 === 0 ? "run.started" : "flow.changed" };
      return {
        id: randomUUID(),
        teamId: localTeamId,
        at: at(index, auditCount),
        ...by,
        ...object,
        detail: "{}",
        search,
      };
    }),
  );
  await database.analyze();
  return { flows: flows.map(({ id, revisions }) => ({ id, revisions })), runs, ...tokens };
}

type ToMoment = (index: number, count: number) => Date;

function pick<T>(list: readonly T[], index: number): T {
  const one = list[index % list.length];
  if (one === undefined) throw new Error("the list is empty");
  return one;
}

async function insertPeople(database: BulkDatabase, count: number, at: ToMoment): Promise<Person[]> {
  const people = Array.from({ length: count }, (_, index) => ({ id: `person-${index}`, name: `Person ${index}` }));
  await insertRows(
    database,
    "User",
    people.map(({ id, name }, index) => {
      const moments = { createdAt: at(index, count), updatedAt: at(index, count) };
      return { id, name, email: `${id}@example.org`, emailVerified: true, twoFactorEnabled: false, ...moments };
    }),
  );
  await insertRows(
    database,
    "Membership",
    people.map(({ id }, index) => {
      const membership = { teamId: localTeamId, userId: id, role: pick(roles, index) };
      return { ...membership, createdAt: at(index, count) };
    }),
  );
  return people;
}

/** Copies of the templates with versions, every fourth published, every tenth in the gallery. */
async function insertFlows(
  database: BulkDatabase,
  count: number,
  templates: readonly TeamTemplate[],
  people: readonly Person[],
  at: ToMoment,
): Promise<FlowRow[]> {
  const flows = Array.from({ length: count }, (_, index) => {
    const revisions = Array.from({ length: revisionsOfFlow }, () => randomUUID());
    return { id: randomUUID(), name: `Process ${index}`, template: pick(templates, index), revisions };
  });
  await insertRows(
    database,
    "Flow",
    flows.map(({ id, name, template, revisions }, index) => {
      const [publisher, isPublished, made] = [pick(people, index), index % 4 === 0, at(index, count)];
      return {
        template: template.flow,
        id,
        name,
        revisionId: revisions.at(-1) ?? "",
        createdAt: made,
        updatedAt: made,
        tags: index % 5 === 0 ? "\nsupport\n" : "",
        publishedId: isPublished ? (revisions[5] ?? null) : null,
        publishedAt: isPublished ? made : null,
        publishedById: isPublished ? publisher.id : null,
        publishedBy: isPublished ? publisher.name : null,
        listedAt: index % 40 === 0 ? made : null,
      };
    }),
    { template: "template" },
  );
  await insertRows(
    database,
    "Revision",
    flows.flatMap(({ id: flowId, template, revisions }, index) =>
      revisions.map((id, number) => {
        const by = pick(people, index + number);
        const head = { template: template.revision, id, flowId, number: number + 1, createdAt: at(index, count) };
        return { ...head, hash: id, createdById: by.id, createdBy: by.name, summary: "Changed the instructions" };
      }),
    ),
    { template: "template" },
  );
  return flows;
}

/** Runs of all flows, as many of each. Returns the ids, the oldest first. */
async function insertRuns(database: BulkDatabase, count: number, flows: readonly FlowRow[], now: number) {
  const templates = flows.map(({ template }) => template.run);
  const sketches = sketchRuns(count, templates, now - 60_000);
  await copyRuns(database, sketches, (stored) => {
    if (stored % 5_000 === 0) console.log(`${stored} runs are stored`);
  });
  const rows = sketches.map(({ id }, index) => {
    const { id: flow, name, revisions } = pick(flows, index);
    return { id, flow, name, revision: pick(revisions, index) };
  });
  for (let start = 0; start < rows.length; start += 500)
    await database.execute(
      `UPDATE "Run" SET "flowId" = "sketch"."value" ->> 'flow', "flowName" = "sketch"."value" ->> 'name',
        "revisionId" = "sketch"."value" ->> 'revision'
        FROM ${database.jsonRows} WHERE "Run"."id" = "sketch"."value" ->> 'id'`,
      [JSON.stringify(rows.slice(start, start + 500))],
    );
  return rows.map(({ id }) => id);
}

/** Threads at flows, and the owner's notices of the first of them. */
async function insertComments(
  database: BulkDatabase,
  flows: readonly FlowRow[],
  people: readonly Person[],
  at: ToMoment,
  ownerEmail: string,
): Promise<void> {
  const count = flows.length * commentsOfFlow;
  const comments = Array.from({ length: count }, (_, index) => {
    const [{ id, name }, flow] = [pick(people, index), pick(flows, index)];
    const place = { teamId: localTeamId, flowId: flow.id, target: "flow", targetId: "" };
    const by = { createdById: id, createdBy: name, createdAt: at(index, count) };
    return { id: randomUUID(), ...place, ...by, body: `The answer of step ${index % 9} is too long for a mail.` };
  });
  await insertRows(database, "Comment", comments);
  await insertRows(
    database,
    "Notification",
    comments.slice(-notices).map(({ id, flowId, createdAt }) => {
      const notice = { id: randomUUID(), userId: ownerEmail, teamId: localTeamId, flowId, commentId: id };
      return { ...notice, type: "mention", createdAt };
    }),
  );
  await database.execute(
    `UPDATE "Notification" SET "userId" = (SELECT "id" FROM "User" WHERE "email" = "userId") WHERE "userId" = '${ownerEmail}'`,
  );
}

/** A link to every flow, and to one run of each. Returns the tokens of one of either sort. */
async function insertLinks(
  database: BulkDatabase,
  flows: readonly FlowRow[],
  runs: readonly string[],
  people: readonly Person[],
  at: ToMoment,
) {
  const rows = flows.flatMap(({ id: flowId }, index): (BulkRow & { token: string })[] => {
    const { id, name } = pick(people, index);
    const by = { createdById: id, createdBy: name, createdAt: at(index, flows.length) };
    const link = (runId: string | null, token: string) => ({
      token,
      ...{ id: randomUUID(), teamId: localTeamId, flowId, runId, tokenHash: hashSecret(token) },
      ...{ texts: runId === null ? "" : "inputs\noutputs\ntools", maxRuns: 0, maxRunCost: 0, startedRuns: 0 },
      ...{ views: index, ...by },
    });
    return [link(null, `flow-link-${index}`), link(runs[index] ?? null, `run-link-${index}`)];
  });
  await insertRows(
    database,
    "ShareLink",
    rows.map(({ token: _, ...row }) => row),
  );
  return { flowToken: "flow-link-0", runToken: "run-link-0" };
}

async function insertTriggers(
  database: BulkDatabase,
  flows: readonly FlowRow[],
  people: readonly Person[],
  at: ToMoment,
): Promise<void> {
  const some = flows.filter((_, index) => index % 5 === 0);
  await insertRows(
    database,
    "Schedule",
    some.map(({ id: flowId, name }, index) => {
      const by = pick(people, index);
      const when = { cron: "0 6 * * *", timeZone: "UTC", missed: "skip", overlap: false, enabled: false };
      const made = { createdAt: at(index, some.length), updatedAt: at(index, some.length) };
      const creator = { createdById: by.id, createdBy: by.name };
      return { id: randomUUID(), teamId: localTeamId, flowId, name, ...when, input: "go", ...creator, ...made };
    }),
  );
}

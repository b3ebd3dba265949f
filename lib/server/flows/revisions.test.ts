import { beforeAll, describe, expect, test } from "vitest";
import { localViewer, toTeamViewer, type Viewer } from "../auth/viewer";
import type { Db } from "../db";
import { startRun } from "../runs/commands";
import { startServices } from "../start";
import { createFlow, saveFlow } from "./commands";
import { getRevision, listRevisions, nameRevision } from "./revisions";
import { trashFlow } from "./trash";

const source = `name: Versioned\nagents:\n  a: { model: "demo:x" }\nswarm: { flow: a }\n`;
const stranger = toTeamViewer({ id: "stranger", name: "S" }, { teamId: "elsewhere", role: "editor" });
const anna: Viewer = { ...localViewer, id: "anna", name: "Anna" };

let db: Db;
beforeAll(async () => {
  db = await startServices();
});

describe("versions", () => {
  test("are listed newest first, with who and what", async () => {
    const { id, revision } = await createFlow(localViewer, { source });
    const save = { source: `${source}# 2\n`, baseRevision: revision, summary: "Added a comment\nRenamed a" };
    const { revision: second } = await saveFlow(anna, id, save);
    await startRun(localViewer, id, { input: "x" });
    expect(await listRevisions(localViewer, id)).toEqual({
      revisions: [
        {
          id: second,
          number: 2,
          createdAt: expect.any(Number),
          createdBy: "Anna",
          name: null,
          summary: "Added a comment\nRenamed a",
          runs: 1,
        },
        { id: revision, number: 1, createdAt: expect.any(Number), createdBy: "You", name: null, summary: "", runs: 0 },
      ],
      next: null,
    });
    expect(await getRevision(localViewer, id, revision)).toMatchObject({ source, layout: { pins: {} } });
  });

  test("come in pages without gaps", async () => {
    const { id, revision } = await createFlow(localViewer, { source });
    const row = await db.revision.findUniqueOrThrow({ where: { id: revision } });
    await db.revision.createMany({ data: Array.from({ length: 249 }, (_, i) => ({ ...row, id: `${id}-${i}` })) });
    const seen = new Set<string>();
    for (let before: string | undefined; ; ) {
      const { revisions, next } = await listRevisions(localViewer, id, before);
      for (const version of revisions) seen.add(version.id);
      if (next === null) break;
      before = next;
    }
    expect(seen.size).toBe(250);
  });

  test("can be named", async () => {
    const { id, revision } = await createFlow(localViewer, { source });
    await nameRevision(localViewer, id, revision, " Before the launch ");
    expect((await listRevisions(localViewer, id)).revisions).toMatchObject([{ name: "Before the launch" }]);
    await nameRevision(localViewer, id, revision, " ");
    expect((await listRevisions(localViewer, id)).revisions).toMatchObject([{ name: null }]);
  });

  test("of other teams, other flows and flows in the trash are not there", async () => {
    const { id, revision } = await createFlow(localViewer, { source });
    const other = await createFlow(localViewer, { source });
    const refused = [
      listRevisions(stranger, id),
      getRevision(stranger, id, revision),
      nameRevision(stranger, id, revision, "Mine"),
      getRevision(localViewer, other.id, revision),
      nameRevision(localViewer, other.id, revision, "Wrong"),
    ];
    await Promise.all(refused.map((promise) => expect(promise).rejects.toMatchObject({ code: "not_found" })));
    await expect(listRevisions(localViewer, other.id, revision)).rejects.toMatchObject({ code: "bad_request" });
    await trashFlow(localViewer, id);
    await expect(listRevisions(localViewer, id)).rejects.toMatchObject({ code: "not_found" });
  });
});

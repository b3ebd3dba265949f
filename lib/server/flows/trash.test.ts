import { beforeAll, describe, expect, test } from "vitest";
import { localViewer } from "../auth/viewer";
import type { Db } from "../db";
import { runAgain, startRun } from "../runs/commands";
import { listRuns } from "../runs/read/list-runs";
import { startServices } from "../start";
import { createFlow, duplicateFlow, renameFlow, saveFlow } from "./commands";
import { listFlows } from "./list-flows";
import { getFlow } from "./queries";
import { listTrash, purgeFlow, purgeTrash, restoreFlow, startTrashPurger, trashFlow } from "./trash";

const source = `name: Discarded\nagents:\n  a: { model: "demo:x" }\nswarm: { flow: a }\n`;
const dayMs = 86_400_000;

let db: Db;
beforeAll(async () => {
  db = await startServices();
});

const isListed = async (id: string): Promise<boolean> =>
  (await listFlows(localViewer)).flows.some((flow) => flow.id === id);
const isInTrash = async (id: string): Promise<boolean> => (await listTrash(localViewer)).some((flow) => flow.id === id);

describe("a flow in the trash", () => {
  test("cannot be found, keeps its runs, and comes back as it was", async () => {
    const { id, revision } = await createFlow(localViewer, { source });
    const { id: run } = await startRun(localViewer, id, { input: "x" });
    await trashFlow(localViewer, id);
    expect([await isListed(id), await isInTrash(id)]).toEqual([false, true]);
    const refused = [
      getFlow(localViewer, id),
      saveFlow(localViewer, id, { source: `${source}#\n`, baseRevision: revision }),
      renameFlow(localViewer, id, "X"),
      duplicateFlow(localViewer, id),
      startRun(localViewer, id, { input: "x" }),
      runAgain(localViewer, run),
      trashFlow(localViewer, id),
    ];
    await Promise.all(refused.map((promise) => expect(promise).rejects.toMatchObject({ code: "not_found" })));
    await expect(getFlow(localViewer, id)).rejects.toThrow("in the trash");
    expect((await listRuns(localViewer, { flow: id })).runs.map((row) => row.id)).toEqual([run]);
    await restoreFlow(localViewer, id);
    expect(await getFlow(localViewer, id)).toMatchObject({ revision, source });
    expect([await isListed(id), await isInTrash(id)]).toEqual([true, false]);
  });

  test("has no runs under way", async () => {
    const approval = 'approvals: { ok: { message: "Continue?" } }\nswarm: { flow: ok >> a }';
    const waiting = source.replace("swarm: { flow: a }", approval);
    const { id } = await createFlow(localViewer, { source: waiting });
    const { id: run } = await startRun(localViewer, id, { input: "wait" });
    const readStatus = async () => (await db.run.findUnique({ where: { id: run } }))?.status;
    await expect.poll(readStatus).toBe("WAITING");
    await trashFlow(localViewer, id);
    expect(await readStatus()).toBe("CANCELLED");
  });

  test("is deleted for good on demand, with its runs", async () => {
    const { id } = await createFlow(localViewer, { source });
    await startRun(localViewer, id, { input: "x" });
    await expect(purgeFlow(localViewer, id)).rejects.toMatchObject({ code: "conflict" });
    await trashFlow(localViewer, id);
    await purgeFlow(localViewer, id);
    expect(await db.run.count({ where: { flowId: id } })).toBe(0);
    await expect(restoreFlow(localViewer, id)).rejects.toMatchObject({ code: "not_found" });
  });

  test("is deleted for good after 30 days, not before", async () => {
    const { id } = await createFlow(localViewer, { source });
    const { id: kept } = await createFlow(localViewer, { source });
    await trashFlow(localViewer, id);
    const { deletedAt = 0, purgeAt } = (await listTrash(localViewer)).find((flow) => flow.id === id) ?? {};
    expect(purgeAt).toBe(deletedAt + 30 * dayMs);
    await purgeTrash(db, deletedAt + 30 * dayMs - 1);
    expect(await isInTrash(id)).toBe(true);
    startTrashPurger(db, { now: () => deletedAt + 30 * dayMs }).stop();
    await expect.poll(() => isInTrash(id)).toBe(false);
    expect(await isListed(kept)).toBe(true);
  });
});

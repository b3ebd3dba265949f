import { beforeAll, expect, test } from "vitest";
import * as Y from "yjs";
import { localTeamId, localViewer } from "../auth/viewer";
import type { Db } from "../db";
import { createFlow } from "../flows/commands";
import { getFlow } from "../flows/queries";
import { startServices } from "../start";
import { appendUpdate } from "./document-rows";
import { LiveFlow } from "./live-flow";
import { encodeRivals } from "./testing/raw-update";

const ann = { id: "ann", name: "Ann" };
let db: Db;
beforeAll(async () => {
  db = await startServices();
});

async function createTestFlow() {
  const source = `name: Looms\nagents:\n  a: { model: "demo:writer" }\nswarm: { type: workflow, flow: a }\n# ${"x".repeat(4_000)}\n`;
  const { id: flowId } = await createFlow(localViewer, { source });
  const open = () => LiveFlow.open(db, { flowId, teamId: localTeamId, onUpdate: () => undefined });
  return { flowId, source, open };
}

function readDocument(live: LiveFlow): Y.Doc {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, live.readSince(new Uint8Array([0])));
  return doc;
}

const findBase = (live: LiveFlow): number => [...readDocument(live).store.clients.keys()][0] ?? 0;

test("a document takes no more changes where reading it would take long, and begins anew when it is opened", async () => {
  const { flowId, open } = await createTestFlow();
  const live = await open();
  const base = findBase(live);
  const send = async (client: number) => {
    const update = encodeRivals(base, 40, { client, from: client * 40 });
    const result = live.apply(update, ann, null);
    return result === "costly" ? live.apply(update, ann, null, await live.rehearse(update, "ann")) : result;
  };
  for (let client = 1; client <= 10; client++) expect(await send(client)).toBe("applied");
  const refusals: unknown[] = [];
  for (let client = 11; client <= 40 && refusals.length === 0; client++)
    await send(client).catch((error: unknown) => refusals.push(error));
  expect(refusals).toEqual([expect.objectContaining({ message: expect.stringContaining("changed too often") })]);
  await live.save(ann);
  await live.close();
  const next = await open();
  expect(next.lineage).not.toBe(live.lineage);
  expect(next.apply(encodeRivals(findBase(next), 40), ann, null)).toBe("applied");
  await next.close();
  expect(await db.flowDocumentArchive.count({ where: { flowId } })).toBe(0);
});

test("a stored document that takes long to read begins anew with the head, and is kept for support", async () => {
  const { flowId, source, open } = await createTestFlow();
  const live = await open();
  const base = findBase(live);
  const { lineage } = live;
  await live.close();
  await appendUpdate(db, { flowId, lineage }, { seq: 2, update: encodeRivals(base, 1_300), author: ann });
  const next = await open();
  expect(next.lineage).not.toBe(lineage);
  expect(readDocument(next).getText("source").toString()).toBe(source);
  await next.close();
  expect((await getFlow(localViewer, flowId)).source).toBe(source);
  expect(await db.flowDocumentArchive.count({ where: { flowId } })).toBeGreaterThan(0);
});

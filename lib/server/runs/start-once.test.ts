import { beforeAll, describe, expect, test } from "vitest";
import { POST } from "@/app/api/v1/flows/[id]/runs/route";
import { localViewer, type Viewer } from "../auth/viewer";
import type { Db } from "../db";
import { createFlow } from "../flows/commands";
import { trashFlow } from "../flows/trash";
import { startServices } from "../start";
import { startRunOnce } from "./start-once";

let db: Db;
beforeAll(async () => {
  db = await startServices();
  await globalThis.swarmloomServices?.endRuns();
});

const source = 'name: Once\nagents: { a: { model: "demo:a" } }\nswarm: { flow: a }\n';
const makeFlow = async (): Promise<string> => (await createFlow(localViewer, { source })).id;

async function post(flow: string, key: string, body: object = { input: "go" }) {
  const headers = { host: "127.0.0.1:3000", "content-type": "application/json", "idempotency-key": key };
  const url = `http://127.0.0.1:3000/api/v1/flows/${flow}/runs`;
  const request = new Request(url, { method: "POST", headers, body: JSON.stringify(body) });
  const response = await POST(request, { params: Promise.resolve({ id: flow }) });
  const text = await response.text();
  const id = /"id":"([^"]+)"/.exec(text)?.[1];
  return { status: response.status, id, isRepeated: response.headers.has("idempotency-replayed"), text };
}

describe("a request with a key", () => {
  test("starts one run, however often it comes and however many come at once", async () => {
    const flow = await makeFlow();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(flow, "k-1")));
    answers.push(await post(flow, "k-1"));
    expect(new Set(answers.map(({ status, id }) => `${status} ${id}`)).size).toBe(1);
    expect(answers.map(({ isRepeated }) => isRepeated).filter((repeated) => !repeated)).toHaveLength(1);
    expect(await db.run.count({ where: { flowId: flow } })).toBe(1);
  });

  test("answers with its run although the flow is in the trash by now", async () => {
    const flow = await makeFlow();
    const { id } = await post(flow, "k-2");
    await trashFlow(localViewer, flow);
    expect(await post(flow, "k-2")).toMatchObject({ status: 202, id, isRepeated: true });
    expect((await post(flow, "k-3")).status).toBe(404);
  });

  test("is refused where another request had the key", async () => {
    const [flow, other] = [await makeFlow(), await makeFlow()];
    const { id } = await post(flow, "k-4");
    const refused = await Promise.all([
      post(flow, "k-4", { input: "another" }),
      post(other, "k-4"),
      post(flow, "k-4", { input: "go", messages: [{ role: "user", content: "Hello." }] }),
      post(flow, "k-4", { input: "go", revision: "another" }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([409, 409, 409, 409]);
    expect(refused[0]?.text).toContain(id);
  });

  test.each(["", "a b", "é", "x".repeat(256)])("is refused where the key is %j", async (key) => {
    expect((await post(await makeFlow(), key)).status).toBe(400);
  });

  test("of another user is another one", async () => {
    const stranger: Viewer = { ...localViewer, id: "stranger" };
    const flow = await makeFlow();
    const { id } = await post(flow, "k-5");
    expect((await startRunOnce(stranger, flow, { input: "go", key: "k-5" })).id).not.toBe(id);
  });
});

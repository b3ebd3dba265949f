import { afterEach, beforeAll, expect, test } from "vitest";
import { GET } from "@/app/api/v1/runs/[id]/route";
import { runOperations } from "../../api/run-operations";
import { localViewer } from "../../auth/viewer";
import { startServices } from "../../start";
import { cancelRun } from "../commands";
import { chain, insertWaitingRun, OwnExecutors, waitForEnd } from "../testing/own-executors";
import { getRun } from "./queries";

let executors: OwnExecutors;
beforeAll(async () => {
  const db = await startServices();
  // The executor of the services would take runs that wait for an executor of a test.
  await globalThis.swarmloomServices?.endRuns();
  executors = new OwnExecutors(db);
});
afterEach(() => executors.stop());

async function request(id: string) {
  const address = new Request(`http://127.0.0.1:3000/api/v1/runs/${id}`, { headers: { host: "127.0.0.1:3000" } });
  const response = await GET(address, { params: Promise.resolve({ id }) });
  const answer = await response.json();
  // Of a run that goes on, the rest may have changed meanwhile.
  expect(answer.planned).toEqual((await getRun(localViewer, id)).planned);
  return runOperations.getRun.answer.parse(answer);
}

test("a run shows the nodes that have not begun as INIT, until it has ended", async () => {
  const id = await insertWaitingRun(chain);
  expect((await request(id)).planned).toEqual([
    { path: "/", kind: "swarm", name: "Chain", status: "INIT" },
    { path: "a", kind: "agent", name: "a", status: "INIT" },
    { path: "b", kind: "agent", name: "b", status: "INIT" },
  ]);
  const { executor, models } = executors.make({ a: [{ text: "A", end: "never" }] });
  executor.wake();
  while (models.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await expect
    .poll(async () => (await request(id)).planned)
    .toEqual([{ path: "b", kind: "agent", name: "b", status: "INIT" }]);
  await cancelRun(localViewer, id);
  await executor.beat();
  await waitForEnd(id);
  expect((await request(id)).planned).toEqual([]);
});

import { createServer } from "node:net";
import { beforeAll, expect, test } from "vitest";
import { localViewer } from "../../auth/viewer";
import { createFlow } from "../../flows/commands";
import { startServices } from "../../start";
import { startRun } from "../commands";
import { waitForEnd } from "../testing/own-executors";

/** The address of a server that accepts connections and ends them without an answer; `close` frees its port. */
async function openSilentServer() {
  const server = createServer((socket) => socket.on("data", () => socket.destroy()).on("error", () => {}));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has a port");
  return { port: address.port, close: () => new Promise((resolve) => server.close(resolve)) };
}

let silent: Awaited<ReturnType<typeof openSilentServer>>;
beforeAll(async () => {
  silent = await openSilentServer();
  process.env.COMPATIBLE_BASE_URL = `http://127.0.0.1:${silent.port}/v1`;
  await startServices();
});

async function run() {
  const source = 'name: T\nagents: { a: { model: "compatible:x", max_retries: 1 } }\nswarm: { flow: a }\n';
  const { id } = await createFlow(localViewer, { source });
  return waitForEnd((await startRun(localViewer, id, { input: "x".repeat(4_000) })).id);
}

test("attempts count as calls where a connection was made, and as nothing where none was", async () => {
  const cut = await run();
  expect(cut).toMatchObject({ status: "FAILED", error: { code: "network" }, usage: { calls: 2, cost: null } });
  expect(cut.usage.input).toBeGreaterThan(2_000);
  await silent.close();
  const refused = await run();
  expect(refused).toMatchObject({
    status: "FAILED",
    error: { code: "network", message: expect.stringContaining("ECONNREFUSED") },
    usage: { calls: 0, input: 0, output: 0, cost: 0 },
  });
});

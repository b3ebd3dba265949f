import { EventEmitter } from "node:events";
import { beforeAll, expect, test, vi } from "vitest";
import * as Y from "yjs";
import { localTeamId, localViewer } from "../auth/viewer";
import type { Db } from "../db";
import { createFlow } from "../flows/commands";
import { getFlow } from "../flows/queries";
import { startServices } from "../start";
import { Connection } from "./connection";
import { Lobby } from "./lobby";
import { LimitsOfPeople } from "./message-limits";

const source = 'name: Looms\nagents:\n  a: { model: "demo:writer" }\nswarm: { type: workflow, flow: a }\n';

/** The server's end of a WebSocket, without a network. */
class FakeSocket extends EventEmitter {
  readonly bufferedAmount = 0;
  readonly sent: (string | Uint8Array)[] = [];
  send = (data: string | Uint8Array): void => void this.sent.push(data);
  ping = (): void => {};
  close = (): void => {};
  terminate = (): void => void this.emit("close");
}

let db: Db;
beforeAll(async () => {
  db = await startServices();
});

test("what the last editor sent before it left is saved, and its document is closed after that", async () => {
  const { id } = await createFlow(localViewer, { source });
  const lobby = new Lobby({ db, flowId: id, teamId: localTeamId, tell: () => {} });
  const socket = new FakeSocket();
  let answer = (_: typeof localViewer): void => {};
  const viewer = new Promise<typeof localViewer>((resolve) => {
    answer = resolve;
  });
  const connection = new Connection(socket, lobby, {
    ...{ id: "c", flow: { id, teamId: localTeamId }, viewer: localViewer, findViewer: () => viewer },
    limits: new LimitsOfPeople(),
  });
  socket.emit("message", Buffer.from(JSON.stringify({ type: "join", lineage: null, vector: "AA==" })), false);
  await expect.poll(() => connection.isJoined, { timeout: 10_000 }).toBe(true);
  const doc = new Y.Doc();
  for (const data of socket.sent) if (typeof data !== "string") Y.applyUpdate(doc, data);
  doc.on("update", (update: Uint8Array) => socket.emit("message", Buffer.from(update), true));

  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    // Both updates wait until it is known what the editor may do.
    connection.checkAccess();
    for (const line of ["# 1\n", "# 2\n"]) doc.getText("source").insert(doc.getText("source").length, line);
    socket.emit("close");
    await vi.advanceTimersByTimeAsync(6_000);
    expect(lobby.isEmpty).toBe(true);
    answer(localViewer);
    const poll = { timeout: 10_000 };
    await vi.waitFor(async () => expect(await db.flowUpdate.count({ where: { flowId: id } })).toBeGreaterThan(1), poll);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(lobby.isEmpty).toBe(true);
  } finally {
    vi.useRealTimers();
  }
  await lobby.closeDocument();
  expect((await getFlow(localViewer, id)).source).toBe(`${source}# 1\n# 2\n`);
});

test("an open document is compared with its rows from time to time, without a message of anyone", async () => {
  const { id } = await createFlow(localViewer, { source });
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const lobby = new Lobby({ db, flowId: id, teamId: localTeamId, tell: () => {} });
    const live = await lobby.openDocument();
    const compare = vi.spyOn(live, "compare");
    vi.advanceTimersByTime(120_000);
    await expect.poll(() => compare.mock.calls.length).toBeGreaterThan(0);
    await lobby.closeDocument();
  } finally {
    vi.useRealTimers();
  }
});

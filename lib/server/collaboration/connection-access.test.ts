import { EventEmitter } from "node:events";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as Y from "yjs";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { readText } from "@/lib/core/live/live-document";
import { type ClientMessage, type ServerMessage, serverMessageSchema } from "@/lib/core/live/messages";
import { AppError } from "../app-error";
import { localTeamId, localViewer, toTeamViewer, type Viewer } from "../auth/viewer";
import type { Db } from "../db";
import { createFlow } from "../flows/commands";
import { startServices } from "../start";
import type { ClientSocket } from "./connection";
import { LiveFlow } from "./live-flow";
import { Rooms } from "./rooms";

const source = 'name: Looms\nagents:\n  a: { model: "demo:writer" }\nswarm: { type: workflow, flow: a }\n';

/** A client that goes on sending after the server closed its connection. */
class DeafSocket extends EventEmitter implements ClientSocket {
  readonly bufferedAmount = 0;
  readonly doc = new Y.Doc();
  readonly messages: ServerMessage[] = [];
  closedWith: number | null = null;

  send(data: string | Uint8Array): void {
    if (typeof data === "string") this.messages.push(parseJsonAs(data, serverMessageSchema));
    else Y.applyUpdate(this.doc, data, "server");
  }

  ping(): void {}

  close(code: number): void {
    this.closedWith ??= code;
  }

  terminate(): void {
    this.close(1006);
  }

  tell(message: ClientMessage & object): void {
    this.emit("message", Buffer.from(JSON.stringify(message)), false);
  }

  write(line: string): void {
    const vector = Y.encodeStateVector(this.doc);
    this.doc.getText("source").insert(0, line);
    this.emit("message", Buffer.from(Y.encodeStateAsUpdate(this.doc, vector)), true);
  }

  get text(): string {
    return readText(this.doc);
  }

  /** What it has received about what others select. */
  get selections(): string[] {
    return this.messages.flatMap((message) =>
      message.type === "peers" ? message.changed.flatMap(({ presence }) => presence?.selection ?? []) : [],
    );
  }
}

const select = (key: string): ClientMessage & { type: "presence" } => ({
  type: "presence",
  presence: { pointer: null, selection: [key], caret: null, view: null, drag: null },
});
const member = (id: string, role: "viewer" | "editor"): Viewer =>
  toTeamViewer({ id, name: id.toUpperCase() }, { teamId: localTeamId, role });

let db: Db;
let rooms: Rooms;
let flow: { id: string; teamId: string };
beforeAll(async () => {
  db = await startServices();
});
beforeEach(async () => {
  rooms = new Rooms(db);
  flow = { id: (await createFlow(localViewer, { source })).id, teamId: localTeamId };
  return () => rooms.close();
});

/** A client that has asked for the document. */
function ask(id: string, findViewer = async (): Promise<Viewer> => member(id, "editor")): DeafSocket {
  const socket = new DeafSocket();
  rooms.connect(socket, { flow, viewer: member(id, "editor"), findViewer });
  socket.tell({ type: "join", lineage: null, vector: Buffer.from([0]).toString("base64") });
  return socket;
}

async function connect(id: string, findViewer?: () => Promise<Viewer>): Promise<DeafSocket> {
  const socket = ask(id, findViewer);
  await expect.poll(() => socket.text).toBe(source);
  return socket;
}

const gone = new AppError("not_found", "There is no such flow.");

/** Everything that was sent before has been handled and told to the others. */
async function settle(sender: DeafSocket, receiver: DeafSocket): Promise<void> {
  const key = `settled ${sender.messages.length} ${receiver.messages.length}`;
  sender.tell(select(key));
  await expect.poll(() => receiver.selections).toContain(key);
  const line = `# ${key}\n`;
  sender.write(line);
  await expect.poll(() => receiver.text).toContain(line);
}

/** Whatever follows without another turn of the event loop. */
async function finishPromises(): Promise<void> {
  for (let step = 0; step < 100; step++) await Promise.resolve();
}

describe("a user who may not read the flow any more", () => {
  it("is neither seen nor changes anything, though the client does not close its connection", async () => {
    let isMember = true;
    const ann = await connect("ann", async () => {
      if (!isMember) throw gone;
      return member("ann", "editor");
    });
    const [bob, carl] = [await connect("bob"), await connect("carl")];
    isMember = false;
    rooms.onAccessChanged();
    await expect.poll(() => ann.closedWith).toBe(4403);
    const known = ann.text;
    ann.tell(select("too late"));
    ann.write("# too late\n");
    await settle(carl, bob);
    expect(bob.selections).not.toContain("too late");
    expect(bob.text).not.toContain("# too late");
    expect(ann.text).toBe(`# too late\n${known}`);
  });

  it("changes nothing, and saves nothing, by what was sent before that was known", async () => {
    let tellGone = (): void => {};
    const viewer = new Promise<Viewer>((_, reject) => {
      tellGone = () => reject(gone);
    });
    const ann = await connect("ann", () => viewer);
    const [bob, carl] = [await connect("bob"), await connect("carl")];
    rooms.onAccessChanged();
    ann.tell({ type: "save", number: 1, summary: "", allowEmpty: false });
    ann.write("# ann\n");
    ann.tell(select("behind it"));
    await settle(carl, bob);
    tellGone();
    await expect.poll(() => ann.closedWith).toBe(4403);
    await settle(carl, bob);
    expect(bob.text).not.toContain("# ann");
    expect(bob.selections).not.toContain("behind it");
    await expect.poll(() => ann.messages.map(({ type }) => type)).toContain("refused");
  });

  it("is not seen by a message that waits for its turn when that becomes known", async () => {
    const ann = await connect("ann", () => Promise.reject(gone));
    const [bob, carl] = [await connect("bob"), await connect("carl")];
    // Carl's message takes all the time that messages have in this turn of the event loop.
    carl.tell(select("first"));
    await finishPromises();
    const begin = performance.now();
    while (performance.now() - begin < 20) await Promise.resolve();
    ann.tell(select("too late"));
    await finishPromises();
    rooms.onAccessChanged();
    await finishPromises();
    expect(ann.closedWith).toBe(4403);
    await settle(carl, bob);
    expect(bob.selections).not.toContain("too late");
  });

  it("is not sent the document that was asked for before", async () => {
    const [bob, carl] = [await connect("bob"), await connect("carl")];
    let release: (() => void) | undefined;
    const read = vi.spyOn(LiveFlow.prototype, "readRevision").mockImplementationOnce(async function (this: LiveFlow) {
      const revision = await this.readRevision();
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return revision;
    });
    const ann = ask("ann", () => Promise.reject(gone));
    await expect.poll(() => release).toBeDefined();
    read.mockRestore();
    rooms.onAccessChanged();
    await expect.poll(() => ann.closedWith).toBe(4403);
    release?.();
    await settle(carl, bob);
    expect(ann.text).toBe("");
    expect(ann.messages.map(({ type }) => type)).not.toContain("joined");
  });
});

describe("a user whose role may have changed", () => {
  it.each([
    ["viewer", false],
    ["editor", true],
  ] as const)("changes nothing until the role is known: %s", async (role, isWritten) => {
    let resolveViewer: (viewer: Viewer) => void = () => {};
    const viewer = new Promise<Viewer>((resolve) => {
      resolveViewer = resolve;
    });
    const ann = await connect("ann", () => viewer);
    const [bob, carl] = [await connect("bob"), await connect("carl")];
    rooms.onAccessChanged();
    ann.write("# ann\n");
    await settle(carl, bob);
    expect(bob.text).not.toContain("# ann");
    resolveViewer(member("ann", role));
    if (isWritten) await expect.poll(() => bob.text).toContain("# ann");
    await settle(carl, bob);
    expect(bob.text.includes("# ann")).toBe(isWritten);
  });
});

it("checks of the role that are asked for while one waits are one check", async () => {
  let checks = 0;
  const ann = await connect("ann", async () => {
    checks++;
    return member("ann", "editor");
  });
  const bob = await connect("bob");
  for (let count = 0; count < 50; count++) rooms.onAccessChanged();
  ann.write("# ann\n");
  await expect.poll(() => bob.text).toContain("# ann");
  expect(checks).toBeLessThanOrEqual(2);
});

describe("presence", () => {
  it("that is too large reaches no one, and the next one does", async () => {
    const [ann, bob, carl] = [await connect("ann"), await connect("bob"), await connect("carl")];
    const padded = { ...select("large"), padding: "x".repeat(64_000) };
    ann.tell(padded);
    await settle(carl, bob);
    expect(bob.selections).not.toContain("large");
    ann.tell(select("small"));
    await expect.poll(() => bob.selections).toContain("small");
  });
});

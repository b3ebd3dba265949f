import { EventEmitter } from "node:events";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
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

async function connect(id: string, findViewer = async (): Promise<Viewer> => member(id, "editor")) {
  const socket = new DeafSocket();
  rooms.connect(socket, { flow, viewer: member(id, "editor"), findViewer });
  socket.tell({ type: "join", lineage: null, vector: Buffer.from([0]).toString("base64") });
  await expect.poll(() => socket.text).toBe(source);
  return socket;
}

/** Everything that was sent before has been handled and told to the others. */
async function settle(sender: DeafSocket, receiver: DeafSocket): Promise<void> {
  const key = `settled ${sender.messages.length} ${receiver.messages.length}`;
  sender.tell(select(key));
  await expect.poll(() => receiver.selections).toContain(key);
  const line = `# ${key}\n`;
  sender.write(line);
  await expect.poll(() => receiver.text).toContain(line);
}

describe("a user who may not read the flow any more", () => {
  it("is neither seen nor changes anything, though the client does not close its connection", async () => {
    let isMember = true;
    const ann = await connect("ann", async () => {
      if (!isMember) throw new AppError("not_found", "There is no such flow.");
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

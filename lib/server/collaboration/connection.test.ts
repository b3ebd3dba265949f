import { createServer, type Server } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it, test, vi } from "vitest";
import * as Y from "yjs";
import { presenceSchema } from "@/lib/core/live/messages";
import { AppError } from "../app-error";
import { localTeamId, localViewer, toTeamViewer, type Viewer } from "../auth/viewer";
import { createFlow, saveFlow } from "../flows/commands";
import { getFlow } from "../flows/queries";
import { getRevision, listRevisions } from "../flows/revisions";
import { tellAccessChanged } from "../flows/tell-rooms";
import { trashFlow } from "../flows/trash";
import { getMetrics } from "../metrics/metrics";
import { startServices } from "../start";
import { TestEditor } from "./testing/test-editor";
import { LiveUpgrades } from "./upgrade";

const people = vi.hoisted(() => new Map<string, unknown>());
vi.mock("../accounts/read-viewer", () => ({
  requireViewer: async (headers: Headers) => {
    const person = people.get(headers.get("x-person") ?? "");
    if (person === undefined) throw new AppError("unauthorized", "Sign in first.");
    return person;
  },
}));

const member = (id: string, role: "viewer" | "runner" | "editor", teamId = localTeamId): Viewer =>
  toTeamViewer({ id, name: id.toUpperCase() }, { teamId, role });

const source = 'name: Looms\nagents:\n  a: { model: "demo:writer" }\nswarm: { type: workflow, flow: a }\n';
let server: Server;
let upgrades: LiveUpgrades;
let origin = "";
const editors: TestEditor[] = [];

async function listen(): Promise<void> {
  upgrades = new LiveUpgrades({ checkAccessMs: 200 });
  server = createServer();
  server.on("upgrade", (request, socket, head) => void upgrades.answer(request, socket, head));
  await new Promise<void>((resolve) =>
    server.listen(origin === "" ? 0 : Number(new URL(origin).port), "127.0.0.1", resolve),
  );
  const address = server.address();
  if (typeof address === "object" && address) origin = `http://127.0.0.1:${address.port}`;
}

beforeAll(async () => {
  await startServices();
  await listen();
});
afterEach(() => {
  for (const editor of editors.splice(0)) editor.cut();
});
afterAll(async () => {
  await upgrades.close();
  server.close();
});

const createTestFlow = async (): Promise<string> => (await createFlow(localViewer, { source })).id;

function makeEditor(flowId: string, person: string, headers: Record<string, string> = {}): TestEditor {
  setPeople();
  return makeConnection(flowId, person, headers);
}

function setPeople(): void {
  people.set("ann", member("ann", "editor")).set("bob", member("bob", "editor")).set("vera", member("vera", "viewer"));
  people.set("stranger", member("stranger", "editor", "elsewhere")).set("rob", member("rob", "runner"));
}

function makeConnection(flowId: string, person: string, headers: Record<string, string> = {}): TestEditor {
  const url = `${origin.replace("http", "ws")}/api/v1/flows/${flowId}/live`;
  const editor = new TestEditor(url, { "x-person": person, ...headers });
  editors.push(editor);
  return editor;
}

async function join(flowId: string, person: string): Promise<TestEditor> {
  const editor = await makeEditor(flowId, person).connect();
  editor.join();
  await expect.poll(() => editor.text).not.toBe("");
  return editor;
}

describe("who may connect", () => {
  it.each([
    ["a person who is not signed in", "nobody", {}, "401"],
    ["a member of another team", "stranger", {}, "404"],
    ["a page of another site", "ann", { origin: "https://evil.example" }, "403"],
    ["a page that another server of this machine sent", "ann", { origin: "http://127.0.0.1:9" }, "403"],
    ["a foreign host", "ann", { host: "evil.example" }, "403"],
    ["an API key", "ann", { authorization: `Bearer swl_${"k".repeat(40)}` }, "403"],
    ["a proxy", "ann", { "x-forwarded-for": "203.0.113.9" }, "403"],
  ])("not %s", async (_, person, headers: Record<string, string>, status) => {
    const id = await createTestFlow();
    await expect(makeEditor(id, person, headers).connect()).rejects.toThrow(status);
  });

  it("nobody, to a flow that does not exist, as to one of another team", async () => {
    await expect(makeEditor("unknown", "ann").connect()).rejects.toThrow("404");
    await expect(makeEditor("a%2Fb", "ann").connect()).rejects.toThrow("404");
  });

  it("a member of the team, from this server's page", async () => {
    const editor = await makeEditor(await createTestFlow(), "vera", { origin }).connect();
    await expect
      .poll(() => editor.find("welcome"))
      .toMatchObject({ self: { userId: "vera", canWrite: false }, peers: [] });
  });
});

describe("people in one flow", () => {
  it("know of each other, with colours of their own, until they leave", async () => {
    const id = await createTestFlow();
    const ann = await makeEditor(id, "ann").connect();
    const bob = await makeEditor(id, "bob").connect();
    await expect.poll(() => [...ann.peers.values()]).toMatchObject([{ name: "BOB", color: 1 }]);
    await expect.poll(() => [...bob.peers.values()]).toMatchObject([{ name: "ANN", color: 0 }]);
    const presence = presenceSchema.parse({
      pointer: { x: 5, y: 6 },
      selection: ["a"],
      caret: null,
      view: null,
      drag: null,
    });
    bob.send({ type: "presence", presence });
    await expect.poll(() => [...ann.peers.values()][0]?.presence).toEqual(presence);
    bob.cut();
    await expect.poll(() => ann.peers.size).toBe(0);
  });

  it("edit together: all have the same text, and the server saves it", async () => {
    const id = await createTestFlow();
    const [ann, bob] = [await join(id, "ann"), await join(id, "bob")];
    ann.type((text) => text.replace("demo:writer", "demo:critic"));
    bob.type((text) => text.replace("Looms", "Weaving"));
    const expected = source.replace("demo:writer", "demo:critic").replace("Looms", "Weaving");
    await expect.poll(() => [ann.text, bob.text]).toEqual([expected, expected]);
    const number = ann.save();
    await expect.poll(() => ann.find("saved")?.number).toBe(number);
    expect(await getFlow(localViewer, id)).toMatchObject({ source: expected, revision: ann.find("saved")?.revision });
  });

  it("change the document after a save that they await, also where both are sent at once", async () => {
    const id = await createTestFlow();
    const ann = await join(id, "ann");
    for (const word of ["one", "two", "three"]) {
      const kept = `${source}# ${word}\n`;
      ann.type(() => kept);
      ann.save({ isAwaited: true });
      ann.type(() => source);
      const number = ann.save();
      await expect.poll(() => ann.find("saved")?.number).toBe(number);
      const { revisions } = await listRevisions(localViewer, id);
      const texts = revisions.map(async (revision) => (await getRevision(localViewer, id, revision.id)).source);
      expect((await Promise.all(texts)).slice(0, 2)).toEqual([source, kept]);
    }
  });

  it("receive what a request saves", async () => {
    const id = await createTestFlow();
    const ann = await join(id, "ann");
    const { revision } = await getFlow(localViewer, id);
    await saveFlow(localViewer, id, { source: `# by a program\n${source}`, baseRevision: revision });
    await expect.poll(() => ann.text).toBe(`# by a program\n${source}`);
  });

  it("get back what they typed while they were cut off, after a restart of the server, too", async () => {
    const id = await createTestFlow();
    const [ann, bob] = [await join(id, "ann"), await join(id, "bob")];
    ann.type((text) => `# before\n${text}`);
    await expect.poll(() => bob.text).toContain("# before");
    ann.cut();
    await (await upgrades.openRooms()).close();
    server.close();
    ann.type((text) => `${text}# ann, offline\n`);
    bob.type((text) => `${text}# bob, offline\n`);
    await listen();
    for (const editor of [ann, bob]) (await editor.connect()).join();
    await expect.poll(() => ann.text === bob.text && ann.text.includes("# bob, offline")).toBe(true);
    expect(ann.text.split("# ann, offline\n")).toHaveLength(2);
    expect(ann.text.split("name: Looms")).toHaveLength(2);
  });
});

describe("a role without the right to write", () => {
  it.each(["vera", "rob"])("sees what others do, and its updates are dropped: %s", async (person) => {
    const id = await createTestFlow();
    const [vera, ann] = [await join(id, person), await join(id, "ann")];
    vera.type((text) => `# not allowed\n${text}`);
    ann.type((text) => `${text}# allowed\n`);
    await expect.poll(() => vera.text).toContain("# allowed");
    expect(ann.text).toBe(`${source}# allowed\n`);
    vera.save();
    await expect.poll(() => vera.find("refused")).toMatchObject({ code: "not_found" });
    ann.save();
    await expect.poll(() => ann.find("saved")).toBeDefined();
    expect((await getFlow(localViewer, id)).source).toBe(`${source}# allowed\n`);
  });
});

describe("a right that ends while a connection is open", () => {
  it("to write: the connection goes on, and its updates are dropped", async () => {
    const id = await createTestFlow();
    const [ann, bob] = [await join(id, "ann"), await join(id, "bob")];
    people.set("ann", member("ann", "runner"));
    await expect.poll(() => ann.find("access")).toMatchObject({ canWrite: false });
    ann.type((text) => `# too late\n${text}`);
    bob.type((text) => `${text}# goes on\n`);
    await expect.poll(() => ann.text).toContain("# goes on");
    expect(bob.text).not.toContain("# too late");
  });

  it.each([
    ["by leaving the team", () => people.set("ann", member("ann", "editor", "elsewhere"))],
    ["by the end of the session", () => people.delete("ann")],
  ])("to read, %s: nothing is received or sent any more", async (_, end) => {
    const id = await createTestFlow();
    const [ann, bob] = [await join(id, "ann"), await join(id, "bob")];
    end();
    await expect.poll(() => ann.closed?.code).toBe(4403);
    expect(bob.peers.size).toBe(0);
    await expect(makeConnection(id, "ann").connect()).rejects.toThrow(/40[14]/);
  });

  it("before anything more is written", async () => {
    const id = await createTestFlow();
    const [ann, bob] = [await join(id, "ann"), await join(id, "bob")];
    people.set("ann", member("ann", "editor", "elsewhere"));
    tellAccessChanged();
    ann.type((text) => `# too late\n${text}`);
    ann.save();
    await expect.poll(() => ann.closed?.code).toBe(4403);
    bob.type((text) => `${text}# goes on\n`);
    bob.save();
    await expect.poll(() => bob.find("saved")).toBeDefined();
    expect((await getFlow(localViewer, id)).source).toBe(`${source}# goes on\n`);
  });

  it("to read: the flow went into the trash", async () => {
    const id = await createTestFlow();
    const ann = await join(id, "ann");
    await trashFlow(localViewer, id);
    await expect.poll(() => ann.closed?.code).toBe(4403);
  });
});

describe("what a client may send", () => {
  it.each([
    ["text that is no JSON", (editor: TestEditor) => editor.sendBytes(Buffer.from("x")), 4403],
    ["an update that is none", (editor: TestEditor) => editor.sendBytes(new Uint8Array([200, 200, 200])), 4403],
  ])("not %s", async (_, act, code) => {
    const id = await createTestFlow();
    const [ann, bob] = [await join(id, "ann"), await join(id, "bob")];
    act(ann);
    await expect.poll(() => ann.closed?.code).toBe(code);
    bob.type((text) => `${text}# goes on\n`);
    bob.save();
    await expect.poll(() => bob.find("saved")).toBeDefined();
  });

  it("not a text beyond the limit: its connection ends, and the others go on", async () => {
    const id = await createTestFlow();
    const [ann, bob] = [await join(id, "ann"), await join(id, "bob")];
    ann.type((text) => text + "x".repeat(2_000_001));
    // Its parts are counted in another thread, which starts first.
    await expect.poll(() => ann.closed?.code, { timeout: 20_000 }).toBe(4413);
    expect(bob.text).toBe(source);
  });
});

describe("an editor that differs from the server", () => {
  const countDivergences = async (): Promise<number> => {
    const { values } = await getMetrics().liveDivergences.get();
    return values.find(({ labels }) => labels.place === "editor")?.value ?? 0;
  };

  it("is found when it compares, counted, and both get what they lack", async () => {
    const id = await createTestFlow();
    const [ann, bob] = [await join(id, "ann"), await join(id, "bob")];
    const before = await countDivergences();
    bob.compare();
    // As a fault leaves it: bob's editor has changed without sending it.
    const copy = new Y.Doc();
    Y.applyUpdate(copy, Y.encodeStateAsUpdate(bob.doc));
    copy.getText("source").insert(0, "# unsent\n");
    Y.applyUpdate(bob.doc, Y.encodeStateAsUpdate(copy), "server");
    ann.type((text) => `${text}# goes on\n`);
    await expect.poll(() => bob.text).toContain("# goes on");
    expect([ann.text.includes("# unsent"), await countDivergences()]).toEqual([false, before]);
    bob.compare();
    await expect.poll(() => ann.text).toContain("# unsent");
    expect(ann.text).toBe(bob.text);
    expect(await countDivergences()).toBe(before + 1);
    ann.compare();
    bob.compare();
    bob.save();
    await expect.poll(() => bob.find("saved")).toBeDefined();
    expect(await countDivergences()).toBe(before + 1);
  });

  it("is found when an update is a change of what the server lacks", async () => {
    const id = await createTestFlow();
    const [ann, bob] = [await join(id, "ann"), await join(id, "bob")];
    const copy = new Y.Doc();
    Y.applyUpdate(copy, Y.encodeStateAsUpdate(bob.doc));
    copy.getText("source").insert(0, "# 1\n");
    Y.applyUpdate(bob.doc, Y.encodeStateAsUpdate(copy), "server");
    bob.type((text) => text.replace("# 1", "# 12"));
    await expect.poll(() => ann.text).toBe(`# 12\n${source}`);
  });
});

describe("many connections and messages", () => {
  it("a person opens a flow 20 times at most, and those who only read leave room for the others", async () => {
    const id = await createTestFlow();
    for (const reader of ["vera", "vic", "val", "vin", "viv"]) {
      setPeople();
      people.set(reader, member(reader, "viewer"));
      for (let count = 0; count < 20; count++) await makeConnection(id, reader).connect();
      await expect(makeConnection(id, reader).connect()).rejects.toThrow("429");
    }
    people.set("vito", member("vito", "viewer"));
    await expect(makeConnection(id, "vito").connect()).rejects.toThrow("429");
    const ann = await join(id, "ann");
    ann.save();
    await expect.poll(() => ann.find("saved")).toBeDefined();
  }, 90_000);

  it("presence that is too large reaches no one", async () => {
    const id = await createTestFlow();
    const [vera, ann] = [await join(id, "vera"), await join(id, "ann")];
    const received = () => ann.messages.filter(({ type }) => type === "peers").length;
    const presence = { pointer: null, selection: [], caret: null, view: null, drag: null };
    const keys = Array.from({ length: 50 }, () => "k".repeat(500));
    const before = received();
    for (let count = 0; count < 5; count++)
      vera.send({
        type: "presence",
        presence: { ...presence, selection: keys, drag: { keys: [...keys, ...keys].slice(0, 50), dx: 0, dy: 0 } },
      });
    vera.sendText(
      JSON.stringify({ type: "presence", presence: { ...presence, selection: keys }, padding: "x".repeat(70_000) }),
    );
    vera.send({ type: "presence", presence: { ...presence, selection: ["small"] } });
    await expect.poll(() => [...ann.peers.values()][0]?.presence?.selection).toEqual(["small"]);
    expect(received()).toBeGreaterThan(before);
  });

  it.each([
    ["a name that is too long", "k".repeat(2_500_000), 1],
    ["a message that is too long", "", 2_500_000],
  ])("%s ends the connection", async (_, key, padding) => {
    const id = await createTestFlow();
    const [vera, ann] = [await join(id, "vera"), await join(id, "ann")];
    const presence = { pointer: null, selection: [key], caret: null, view: null, drag: null };
    vera.sendText(JSON.stringify({ type: "presence", presence, padding: "x".repeat(padding) }));
    await expect.poll(() => vera.closed?.code).toBe(4413);
    expect(ann.peers.size).toBe(0);
  });
});

test("a client that takes nothing loses its connection", async () => {
  const id = await createTestFlow();
  const [ann, bob] = [await join(id, "ann"), await join(id, "bob")];
  bob.pause();
  const hasLeft = (): boolean => [...ann.peers.values()].every(({ name }) => name !== "BOB");
  // Each may send so much only, and is closed then.
  for (const name of ["w1", "w2", "w3", "w4", "w5"]) {
    people.set(name, member(name, "editor"));
    const writer = await join(id, name);
    const change = (text: string): string => (text.length < 900_000 ? text + "y".repeat(300_000) : source);
    const write = setInterval(() => writer.type(change), 20);
    await expect.poll(() => hasLeft() || writer.closed !== null, { timeout: 20_000 }).toBe(true);
    clearInterval(write);
  }
  await expect.poll(hasLeft).toBe(true);
});

test("who asks only when the server has begun to stop is refused, so that it can end", async () => {
  const id = await createTestFlow();
  setPeople();
  const stopping = new LiveUpgrades();
  await stopping.close();
  const second = createServer();
  second.on("upgrade", (request, socket, head) => void stopping.answer(request, socket, head));
  await new Promise<void>((resolve) => second.listen(0, "127.0.0.1", resolve));
  const address = second.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const editor = new TestEditor(`ws://127.0.0.1:${port}/api/v1/flows/${id}/live`, { "x-person": "ann" });
  await expect(editor.connect()).rejects.toThrow("503");
  await new Promise((resolve) => second.close(resolve));
});

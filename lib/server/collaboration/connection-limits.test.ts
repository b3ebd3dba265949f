import { EventEmitter } from "node:events";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as Y from "yjs";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { readText } from "@/lib/core/live/live-document";
import { type ClientMessage, closeCodes, type ServerMessage, serverMessageSchema } from "@/lib/core/live/messages";
import { AppError } from "../app-error";
import { localTeamId, localViewer, toTeamViewer, type Viewer } from "../auth/viewer";
import * as threads from "../cpu-worker/run-task";
import type { Db } from "../db";
import { createFlow } from "../flows/commands";
import { logger } from "../log/logger";
import { startServices } from "../start";
import type { ClientSocket } from "./connection";
import { LiveFlow } from "./live-flow";
import { Rooms } from "./rooms";
import { encodeRawUpdate, encodeRivals } from "./testing/raw-update";

const source = 'name: Looms\nagents:\n  a: { model: "demo:writer" }\nswarm: { type: workflow, flow: a }\n';

class FakeEditor extends EventEmitter implements ClientSocket {
  readonly bufferedAmount = 0;
  readonly doc = new Y.Doc();
  readonly messages: ServerMessage[] = [];
  closedWith: number | null = null;

  send(data: string | Uint8Array): void {
    if (typeof data === "string") this.messages.push(parseJsonAs(data, serverMessageSchema));
    else Y.applyUpdate(this.doc, data, "server");
  }

  sendMessage(message: ClientMessage): void {
    this.emit("message", Buffer.from(JSON.stringify(message)), false);
  }

  ping(): void {}

  close(code: number): void {
    this.closedWith ??= code;
  }

  terminate(): void {
    this.close(1006);
  }

  write(text: string): Uint8Array {
    const vector = Y.encodeStateVector(this.doc);
    this.doc.getText("source").insert(0, text);
    const update = Y.encodeStateAsUpdate(this.doc, vector);
    this.sendUpdate(update);
    return update;
  }

  sendUpdate(update: Uint8Array): void {
    this.emit("message", Buffer.from(update), true);
  }

  get text(): string {
    return readText(this.doc);
  }
}

let db: Db;
let rooms: Rooms;
let flow: { id: string; teamId: string };
const roles = new Map<string, "viewer" | "editor">();
beforeAll(async () => {
  db = await startServices();
});
beforeEach(async () => {
  roles.clear();
  rooms = new Rooms(db);
  flow = { id: (await createFlow(localViewer, { source })).id, teamId: localTeamId };
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await rooms.close();
});

const viewerOf = (id: string): Viewer =>
  toTeamViewer({ id, name: id }, { teamId: localTeamId, role: roles.get(id) ?? "editor" });

async function join(person: string): Promise<FakeEditor> {
  const editor = new FakeEditor();
  rooms.connect(editor, { flow, viewer: viewerOf(person), findViewer: async () => viewerOf(person) });
  editor.sendMessage({ type: "join", lineage: null, vector: "AA==" });
  await expect.poll(() => editor.text, { timeout: 10_000 }).not.toBe("");
  return editor;
}

/** Two editors, of which one has written a long line. */
async function joinBoth(length: number) {
  const [ann, bob] = [await join("ann"), await join("bob")];
  const line = `#${"a".repeat(length)}\n`;
  ann.write(line);
  await expect.poll(() => bob.text).toBe(line + source);
  return { ann, bob, line, base: ann.doc.clientID };
}

const listTasks = (calls: readonly (readonly unknown[])[]): unknown[] => calls.map(([name]) => name);

describe("a change that takes long", () => {
  it("is refused: letters that all compete for one place", async () => {
    const { ann, bob, line, base } = await joinBoth(700);
    ann.sendUpdate(encodeRivals(base, 600));
    await expect.poll(() => ann.closedWith, { timeout: 10_000 }).toBe(closeCodes.tooLarge);
    bob.write("# bob\n");
    const next = await join("ann");
    expect(next.text).toBe(`# bob\n${line}${source}`);
  });

  it("is tried in another thread first, and keeps its turn: a few such letters", async () => {
    const { ann, bob, line, base } = await joinBoth(300);
    const run = vi.spyOn(threads, "runTask");
    ann.sendUpdate(encodeRivals(base, 150));
    const after = { clock: 150, items: [{ origin: [9, 149] as const, text: "y" }] };
    ann.sendUpdate(encodeRawUpdate({ items: new Map([[9, after]]) }));
    await expect.poll(() => bob.text.match(/[xy]/g)?.length, { timeout: 10_000 }).toBeGreaterThan(150);
    expect(bob.text.replaceAll(/[xy]/g, "")).toBe(line + source.replaceAll(/[xy]/g, ""));
    expect(listTasks(run.mock.calls)).toEqual(["rehearse-update"]);
    expect(ann.closedWith).toBeNull();
  });

  it("is dropped where its editor may not write any more afterwards", async () => {
    const { ann, bob, line, base } = await joinBoth(300);
    const { runTask } = threads;
    const run = vi.spyOn(threads, "runTask").mockImplementation((...task) => {
      roles.set("ann", "viewer");
      rooms.onAccessChanged();
      return runTask(...task);
    });
    ann.sendUpdate(encodeRivals(base, 150));
    // Messages of an editor are handled in their order.
    ann.sendMessage({ type: "save", number: 1, summary: "", allowEmpty: false });
    await expect.poll(() => ann.messages.at(-1), { timeout: 10_000 }).toMatchObject({ type: "refused", number: 1 });
    expect(run).toHaveBeenCalled();
    expect(bob.text).toBe(line + source);
  });

  it("is not applied where it only waits for what the server lacks", async () => {
    const { ann, bob, line } = await joinBoth(10);
    const ranges = Array.from({ length: 2_000 }, (_, nth) => [nth * 2, 1] as const);
    const apply = vi.spyOn(LiveFlow.prototype, "apply");
    ann.sendUpdate(encodeRawUpdate({ deleted: new Map([[99, ranges]]) }));
    await expect
      .poll(() => apply.mock.results.map(({ value }) => value), { timeout: 10_000 })
      .toEqual(["costly", "lacking"]);
    ann.write("# ann\n");
    await expect.poll(() => bob.text).toBe(`# ann\n${line}${source}`);
  });

  it.each([
    [
      "ranges in no order",
      closeCodes.refused,
      [
        [5, 1],
        [3, 1],
      ],
    ],
    [
      "ranges that overlap",
      closeCodes.refused,
      [
        [3, 5],
        [4, 5],
      ],
    ],
    [
      "ranges that split the text into too many parts",
      closeCodes.tooLarge,
      Array.from({ length: 21_000 }, (_, nth) => [nth * 2 + 1, 1]),
    ],
  ])("is refused: %s", async (_, code, ranges) => {
    const { ann, bob, line, base } = await joinBoth(50_000);
    const deleted = ranges.map(([clock = 0, length = 0]) => [clock, length] as const);
    ann.sendUpdate(encodeRawUpdate({ deleted: new Map([[base, deleted]]) }));
    await expect.poll(() => ann.closedWith, { timeout: 10_000 }).toBe(code);
    expect(bob.text).toBe(line + source);
  });

  it("is tried again where the document changed much meanwhile", async () => {
    const { ann, base } = await joinBoth(300);
    const live = await LiveFlow.open(db, { flowId: flow.id, teamId: localTeamId, onUpdate: () => undefined });
    const update = encodeRivals(base, 150);
    expect(live.apply(update, viewerOf("ann"), null)).toBe("costly");
    const rehearsal = await live.rehearse(update, "ann");
    const other = ann.write("another change ".repeat(200));
    expect(live.apply(other, viewerOf("ann"), null)).toBe("applied");
    expect(live.apply(update, viewerOf("ann"), null, rehearsal)).toBe("costly");
    expect(live.apply(update, viewerOf("ann"), null, await live.rehearse(update, "ann"))).toBe("applied");
    await live.close();
  });
});

describe("messages that arrive at once", () => {
  /** Counts what `LiveFlow.apply` receives in each turn of the event loop. Each call takes a millisecond. */
  function countPerTurn(): { counts: number[]; end(): void } {
    const counts = [0];
    let isEnded = false;
    const { apply } = LiveFlow.prototype;
    vi.spyOn(LiveFlow.prototype, "apply").mockImplementation(function (this: LiveFlow, ...input) {
      counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1;
      vi.advanceTimersByTime(1);
      return apply.apply(this, input);
    });
    const next = (): void => {
      counts.push(0);
      if (!isEnded) setImmediate(next);
    };
    setImmediate(next);
    return {
      counts,
      end: () => {
        isEnded = true;
      },
    };
  }

  it("are handled in many turns of the event loop, of several editors, too", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const editors = [await join("ann"), await join("bob"), await join("cyd")];
    const { counts, end } = countPerTurn();
    for (const [nth, editor] of editors.entries()) for (let number = 0; number < 100; number++) editor.write(`${nth}`);
    await expect.poll(() => counts.reduce((sum, count) => sum + count, 0), { timeout: 10_000 }).toBe(300);
    end();
    expect(Math.max(...counts)).toBeLessThanOrEqual(20);
    expect(editors.map(({ closedWith }) => closedWith)).toEqual([null, null, null]);
  });

  it("end connections where one person sends more changes than one may, in whichever window", async () => {
    const windows = await Promise.all([join("ann"), join("ann"), join("ann")]);
    const bob = await join("bob");
    for (const window of windows) {
      const update = window.write("#");
      for (let number = 1; number < 1_500; number++) window.sendUpdate(update);
    }
    const countClosed = () => windows.filter(({ closedWith }) => closedWith === 1011).length;
    await expect.poll(countClosed, { timeout: 20_000 }).toBeGreaterThan(0);
    bob.write("# bob\n");
    bob.sendMessage({ type: "save", number: 1, summary: "", allowEmpty: false });
    await expect.poll(() => bob.messages.some(({ type }) => type === "saved"), { timeout: 10_000 }).toBe(true);
  });
});

it("more bytes of changes than a person may send close a connection, in whichever window, for a while", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const [first, second, bob] = [await join("ann"), await join("ann"), await join("bob")];
  const long = first.write(`#${"a".repeat(900_000)}\n`);
  for (const editor of [second, second, first, second]) editor.sendUpdate(long);
  const isClosed = () => [first.closedWith, second.closedWith].filter((code) => code !== null);
  await expect.poll(isClosed, { timeout: 10_000 }).toEqual([1011]);
  bob.write("# bob\n");
  await expect.poll(() => (first.closedWith === null ? first : second).text.startsWith("# bob")).toBe(true);
  vi.advanceTimersByTime(10_000);
  const again = await join("ann");
  again.sendUpdate(long);
  again.write("# again\n");
  await expect.poll(() => bob.text.startsWith("# again\n")).toBe(true);
  expect(again.closedWith).toBeNull();
});

describe("a save that fails", () => {
  it.each([
    ["with a reason", new AppError("conflict", "The flow was changed."), "conflict", "The flow was changed."],
    [
      "in the code",
      new TypeError("reading 'x' of undefined"),
      "unavailable",
      expect.stringMatching(/^The flow could not/),
    ],
  ])("%s tells the editor what it may know", async (_, error, code, message) => {
    const ann = await join("ann");
    const warn = vi.spyOn(logger, "error").mockReturnValue(undefined);
    vi.spyOn(LiveFlow.prototype, "save").mockRejectedValue(error);
    ann.sendMessage({ type: "save", number: 1, summary: "", allowEmpty: false });
    await expect.poll(() => ann.messages.at(-1)).toEqual({ type: "refused", number: 1, code, message });
    const isLogged = warn.mock.calls.some(
      ([first]) => JSON.stringify(first) === JSON.stringify({ err: error, flow: flow.id }),
    );
    expect(isLogged).toBe(!(error instanceof AppError));
  });
});

import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as sleepFor } from "node:timers/promises";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { isTerminal } from "@/lib/core/run/events/run-status";
import type { VisitorEvent } from "@/lib/core/run/events/visitor-events";
import { notShared } from "@/lib/core/trace/file/shared-run";
import { AppError } from "../app-error";
import { localTeamId, localViewer, toTeamViewer, type Viewer } from "../auth/viewer";
import type { Db } from "../db";
import { createFlow, saveFlow } from "../flows/commands";
import { publishFlow } from "../flows/publish";
import { purgeFlow, restoreFlow, trashFlow } from "../flows/trash";
import { addressHeader } from "../net/client-address";
import { answerQuestion, cancelRun, startRun } from "../runs/commands";
import { getRun } from "../runs/read/queries";
import { startServices } from "../start";
import { createFlowLink, createRunLink, listFlowLinks, listRunLinks, revokeLink } from "./share-links";
import { getRunByLink, startRunByLink, visitLink, writeSharedRun } from "./visit";
import { streamRunByLink } from "./visitor-stream";

const source = 'name: Shared\nagents:\n  a: { model: "demo:a", instructions: "Keep it" }\nswarm: { flow: a }\n';
const editor = toTeamViewer({ id: "ed", name: "Ed" }, { teamId: localTeamId, role: "editor" });
const runner = toTeamViewer({ id: "ron", name: "Ron" }, { teamId: localTeamId, role: "runner" });
const stranger = toTeamViewer({ id: "eve", name: "Eve" }, { teamId: "elsewhere", role: "owner" });

let db: Db;
let flow: string;
let revision: string;
beforeAll(async () => {
  process.env.SWARMLOOM_URL = "https://looms.example";
  db = await startServices();
});
beforeEach(async () => {
  ({ id: flow, revision } = await createFlow(localViewer, { source }));
});

const tokenOf = ({ url }: { url: string }): string => url.split("/").at(-1) ?? "";
const refusalOf = (pending: Promise<unknown>): Promise<string> =>
  pending.then(
    () => "accepted",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
const link = async (setting: Parameters<typeof createFlowLink>[2] = {}, viewer: Viewer = editor) =>
  tokenOf(await createFlowLink(viewer, flow, setting));
const aRequest = (address = "127.0.0.1", signal = new AbortController().signal) => ({
  signal,
  headers: new Headers({ [addressHeader]: address }),
});
async function endedRun(viewer: Viewer, id: string) {
  for (;;) {
    const run = await getRun(viewer, id);
    if (isTerminal(run.status)) return run;
    await sleepFor(5);
  }
}

describe("a link to a flow", () => {
  test("shows the published version, else the newest, and counts its views", async () => {
    const created = await createFlowLink(editor, flow, {});
    expect(created.url).toMatch(/^https:\/\/looms\.example\/s\/[\w-]{32}$/);
    const token = tokenOf(created);
    const second = await saveFlow(editor, flow, { source: `${source}# 2\n`, baseRevision: revision });
    expect(await visitLink(token)).toMatchObject({
      type: "flow",
      name: "Shared",
      source: `${source}# 2\n`,
      runsLeft: null,
    });
    await publishFlow(editor, flow, revision);
    expect(await visitLink(token)).toMatchObject({ source });
    expect(await listFlowLinks(editor, flow)).toMatchObject([
      { id: created.id, views: 2, runs: null, createdBy: "Ed" },
    ]);
    expect(second.problems).toEqual([]);
  });

  test("of its token only a hash is stored", async () => {
    const token = await link();
    expect(JSON.stringify(await db.shareLink.findMany())).not.toContain(token);
    expect(JSON.stringify(await listFlowLinks(editor, flow))).not.toContain(token);
    expect(JSON.stringify(await db.auditEvent.findMany())).not.toContain(token);
  });

  test("revoked, expired, unknown, trashed, purged: all look alike", async () => {
    const unknown = await visitLink("x").catch(String);
    const revoked = await createFlowLink(editor, flow, {});
    await revokeLink(editor, revoked.id);
    const expired = await createFlowLink(editor, flow, { expiresAt: new Date(Date.now() + 60_000).toISOString() });
    await db.shareLink.update({ where: { id: expired.id }, data: { expiresAt: new Date(Date.now() - 1) } });
    for (const { url } of [revoked, expired]) expect(await visitLink(tokenOf({ url })).catch(String)).toBe(unknown);
    expect(await listFlowLinks(editor, flow)).toEqual([]);
    const token = await link();
    await trashFlow(localViewer, flow);
    expect(await visitLink(token).catch(String)).toBe(unknown);
    await restoreFlow(localViewer, flow);
    expect(await refusalOf(visitLink(token))).toBe("accepted");
    await trashFlow(localViewer, flow);
    await purgeFlow(localViewer, flow);
    expect(await visitLink(token).catch(String)).toBe(unknown);
    expect(await db.shareLink.count({ where: { flowId: flow } })).toBe(0);
  });

  test("is made, listed and revoked by editors of its team alone", async () => {
    const { id } = await createFlowLink(editor, flow, {});
    for (const viewer of [runner, stranger]) {
      expect(await refusalOf(createFlowLink(viewer, flow, {}))).toBe("not_found");
      expect(await refusalOf(listFlowLinks(viewer, flow))).toBe("not_found");
      expect(await refusalOf(revokeLink(viewer, id))).toBe("not_found");
    }
    expect(await refusalOf(revokeLink(editor, "none"))).toBe("not_found");
    expect(await refusalOf(createFlowLink(editor, flow, { expiresAt: "2020-01-01T00:00:00Z" }))).toBe("bad_request");
    await revokeLink(editor, id);
    expect(await refusalOf(revokeLink(editor, id))).toBe("not_found");
  });
});

describe("runs by a link", () => {
  test("are of the published version, with the limit of cost, and named after the link", async () => {
    await publishFlow(editor, flow, revision);
    await saveFlow(editor, flow, { source: `${source}# draft\n`, baseRevision: revision });
    const token = await link({ runs: { most: 2, maxCost: 0.25 } });
    const { id } = await startRunByLink(token, "Looms");
    const run = await endedRun(localViewer, id);
    expect(run).toMatchObject({ status: "SUCCESS", revision, startedBy: "Link to “Shared”" });
    expect(await db.run.findUnique({ where: { id } })).toMatchObject({
      maxCost: 0.25,
      startedById: expect.stringMatching(/^link:/),
    });
    expect(await getRunByLink(token, id)).toEqual({
      status: "SUCCESS",
      output: run.output.text,
      error: null,
      simulated: true,
    });
  });

  test("are told as they go on: who works, and what the last step writes, also where its agent writes before", async () => {
    const chain = source
      .replace(/^swarm:[\s\S]*$/m, "groups:\n  both: { type: serial, flow: a >> b }\nswarm: { flow: both >> a }\n")
      .replace("agents:\n", 'agents:\n  b: { model: "demo:writer" }\n');
    ({ id: flow } = await createFlow(localViewer, { source: chain }));
    const token = await link({ runs: { most: 1, maxCost: 1 } });
    const { id } = await startRunByLink(token, "Looms");
    const stream = await streamRunByLink(token, id, aRequest());
    const events = (await new Response(stream).text())
      .split("\n")
      .filter((line) => line.startsWith('data: {"type'))
      .map((line): VisitorEvent => JSON.parse(line.slice(6)));
    expect(events.filter(({ type }) => type === "agent")).toEqual([
      { type: "agent", path: "both/a", name: "a", status: "RUNNING" },
      { type: "agent", path: "both/a", name: "a", status: "SUCCESS" },
      { type: "agent", path: "both/b", name: "b", status: "RUNNING" },
      { type: "agent", path: "both/b", name: "b", status: "SUCCESS" },
      { type: "agent", path: "a", name: "a", status: "RUNNING" },
      { type: "agent", path: "a", name: "a", status: "SUCCESS" },
    ]);
    const parts = events.flatMap((event) => (event.type === "text" ? [event] : []));
    expect(new Set(parts.map(({ path }) => path))).toEqual(new Set(["a"]));
    expect(parts.map((part) => part.text).join("")).toBe((await getRunByLink(token, id)).output);
    const other = await startRun(localViewer, flow, { input: "of the team" });
    expect(await refusalOf(streamRunByLink(token, other.id, aRequest()))).toBe("not_found");
  });

  test("are told to ten visitors of an address at once, and still to those of another one", async () => {
    const token = await link({ runs: { most: 1, maxCost: 1 } });
    const { id } = await startRunByLink(token, "Looms");
    await endedRun(localViewer, id);
    const controller = new AbortController();
    const open = (address: string) => refusalOf(streamRunByLink(token, id, aRequest(address, controller.signal)));
    const results: string[] = [];
    for (let count = 0; count < 11; count++) results.push(await open("203.0.113.9"));
    expect(results).toEqual([...Array<string>(10).fill("accepted"), "rate_limited"]);
    expect(await open("203.0.113.10")).toBe("accepted");
    controller.abort();
    expect(globalThis.swarmloomStreams).toEqual(new Map());
  });

  test.each(["rejected", "cancelled"] as const)("that were %s show nothing of what was held back", async (end) => {
    const held = source.replace(
      /^swarm:[\s\S]*$/m,
      'approvals: { gate: { message: "Go on?" } }\nswarm: { flow: a >> gate }\n',
    );
    ({ id: flow } = await createFlow(localViewer, { source: held }));
    const token = await link({ runs: { most: 1, maxCost: 1 } });
    const { id } = await startRunByLink(token, "Looms");
    await expect.poll(async () => (await getRun(localViewer, id)).status, { timeout: 20_000 }).toBe("WAITING");
    const gate = (await getRun(localViewer, id)).state.nodes.find(({ kind }) => kind === "approval");
    const answer = { question: gate?.question?.number ?? 0, decision: "rejected" } as const;
    if (end === "rejected") await answerQuestion(localViewer, id, gate?.id ?? 0, answer);
    else await cancelRun(localViewer, id);
    expect((await endedRun(localViewer, id)).output.text).not.toBe("");
    expect(await getRunByLink(token, id)).toMatchObject({ output: "" });
  });

  test("are told no longer once the link is revoked", async () => {
    const gate =
      'name: Gate\nagents:\n  a: { model: "demo:a" }\napprovals:\n  gate: { message: "May it?" }\nswarm: { flow: gate >> a }\n';
    ({ id: flow } = await createFlow(localViewer, { source: gate }));
    const created = await createFlowLink(editor, flow, { runs: { most: 1, maxCost: 1 } });
    const { id } = await startRunByLink(tokenOf(created), "Looms");
    await expect.poll(async () => (await getRun(localViewer, id)).status, { timeout: 20_000 }).toBe("WAITING");
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const stream = await streamRunByLink(tokenOf(created), id, aRequest());
      await revokeLink(editor, created.id);
      vi.setSystemTime(Date.now() + 1_000);
      expect(await refusalOf(new Response(stream).text())).toBe("not_found");
    } finally {
      vi.useRealTimers();
    }
  });

  test("are no more than the link allows, also when they are requested at the same time", async () => {
    const token = await link({ runs: { most: 3, maxCost: 1 } });
    const results = await Promise.all(Array.from({ length: 8 }, () => refusalOf(startRunByLink(token, "x"))));
    expect(results.filter((result) => result === "accepted")).toHaveLength(3);
    expect(results.filter((result) => result === "conflict")).toHaveLength(5);
    expect(await visitLink(token)).toMatchObject({ runsLeft: 0 });
  });

  test("that cannot start use up none", async () => {
    const { id } = await createFlow(localViewer, { source: source.replace("demo:a", "openai:gpt-4o") });
    const token = tokenOf(await createFlowLink(editor, id, { runs: { most: 1, maxCost: 1 } }));
    expect(await refusalOf(startRunByLink(token, "x"))).toBe("bad_request");
    expect(await visitLink(token)).toMatchObject({ runsLeft: 1 });
  });

  test("start only where they are allowed, and are the only ones that are read", async () => {
    const still = await link();
    expect(await refusalOf(startRunByLink(still, "x"))).toBe("not_found");
    const token = await link({ runs: { most: 1, maxCost: 1 } });
    const { id } = await startRun(localViewer, flow, { input: "of the team" });
    await endedRun(localViewer, id);
    expect(await refusalOf(getRunByLink(token, id))).toBe("not_found");
    const own = await startRunByLink(token, "x");
    expect(await refusalOf(getRunByLink(still, own.id))).toBe("not_found");
    const [listed] = await listFlowLinks(editor, flow);
    await revokeLink(editor, listed?.id ?? "");
    expect(await refusalOf(getRunByLink(token, own.id))).toBe("not_found");
  });
});

describe("a link to a run", () => {
  test("shows the texts that it names, and nothing when it is revoked or the run is deleted", async () => {
    const { id } = await startRun(localViewer, flow, { input: "a secret input" });
    await endedRun(localViewer, id);
    const created = await createRunLink(editor, id, { texts: ["tools"] });
    const token = tokenOf(created);
    expect(await visitLink(token)).toMatchObject({
      type: "run",
      texts: { inputs: false, outputs: false, tools: true },
    });
    const shared = await text(Readable.from(await writeSharedRun(token)));
    expect(shared).toContain(notShared);
    for (const kept of ["Keep it", "instructions", "a secret input"]) expect(shared).not.toContain(kept);
    const whole = tokenOf(await createRunLink(editor, id, { texts: ["inputs", "outputs", "tools"] }));
    expect(await text(Readable.from(await writeSharedRun(whole)))).toContain("a secret input");
    expect(await refusalOf(startRunByLink(whole, "x"))).toBe("not_found");
    expect(await listRunLinks(editor, id)).toHaveLength(2);
    for (const viewer of [runner, stranger]) {
      expect(await refusalOf(createRunLink(viewer, id, { texts: [] }))).toBe("not_found");
      expect(await refusalOf(listRunLinks(viewer, id))).toBe("not_found");
    }
    await revokeLink(editor, created.id);
    expect(await refusalOf(writeSharedRun(token))).toBe("not_found");
    await db.run.delete({ where: { id } });
    expect(await refusalOf(writeSharedRun(whole))).toBe("not_found");
  });

  test("names no one who answered a question, in no text", async () => {
    const gate =
      'name: Gate\nagents:\n  a: { model: "demo:a" }\napprovals:\n  gate: { message: "May it?" }\nswarm: { flow: a >> gate }\n';
    const { id: gated } = await createFlow(localViewer, { source: gate });
    const { id } = await startRun(localViewer, gated, { input: "x" });
    const isWaiting = async () => (await getRun(localViewer, id)).state.nodes.find(({ question }) => question);
    await expect.poll(isWaiting, { timeout: 20_000 }).toBeDefined();
    const waiting = await isWaiting();
    if (!waiting?.question) throw new Error("no step waits");
    const approver = { ...localViewer, name: 'Ann "Approver" Lee' };
    const question = waiting.question.number;
    await answerQuestion(approver, id, waiting.id, { question, decision: "rejected", reason: "Too soon" });
    expect((await endedRun(localViewer, id)).error?.message).toContain(approver.name);
    const whole = tokenOf(await createRunLink(editor, id, { texts: ["inputs", "outputs", "tools"] }));
    const shared = await text(Readable.from(await writeSharedRun(whole)));
    expect(shared).not.toMatch(/Ann|Approver/);
    expect(shared).toContain("A user rejected");
    expect(shared).toContain("Too soon");
  });

  test("of a flow shows no run", async () => {
    expect(await refusalOf(writeSharedRun(await link()))).toBe("not_found");
  });
});

test("visitors of a link start ten runs a minute together, those of another link as many", async () => {
  const setting = { runs: { most: 100, maxCost: 1 } };
  const [crowded, other] = [await link(setting), await link(setting)];
  const results: string[] = [];
  for (let number = 0; number < 11; number++) results.push(await refusalOf(startRunByLink(crowded, "go")));
  expect(results).toEqual([...Array<string>(10).fill("accepted"), "rate_limited"]);
  expect(await refusalOf(startRunByLink(other, "go"))).toBe("accepted");
  expect((await listFlowLinks(editor, flow)).map(({ runs }) => runs?.started).toSorted()).toEqual([1, 10]);
});

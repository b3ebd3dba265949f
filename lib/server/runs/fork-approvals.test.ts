import { setTimeout as sleepFor } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { isTerminal, type RunStatus } from "@/lib/core/run/events/run-status";
import { AppError } from "../app-error";
import { recordAudit } from "../audit/record-audit";
import { localViewer, narrowToTeam, type Viewer } from "../auth/viewer";
import type { Db } from "../db";
import { createFlow, saveFlow } from "../flows/commands";
import { startServices } from "../start";
import { saveApprovalRule } from "../teams/approval-rule";
import { insertTeamOf } from "../teams/testing/test-team";
import { answerQuestion, cancelRun, startRun } from "./commands";
import { forkRun, retryRun } from "./fork";
import { getRun } from "./read/queries";
import { tellAgent } from "./tell-agent";

const flow = `name: Gate
agents:
  a: { model: "demo:writer" }
  b: { model: "demo:writer" }
approvals: { ok: { message: "Go on?" } }
groups: { g: { mode: serial, flow: a >> ok } }
swarm: { flow: g >> b }
`;

let db: Db;
beforeAll(async () => {
  db = await startServices();
});

async function until(id: string, isRight: (status: RunStatus) => boolean) {
  for (;;) {
    const run = await getRun(localViewer, id);
    if (isRight(run.status)) return run;
    await sleepFor(5);
  }
}
const waiting = (id: string) => until(id, (status) => status === "WAITING" || isTerminal(status));

async function stepOf(runId: string, path: string) {
  const step = (await getRun(localViewer, runId)).state.nodes.find((node) => node.path === path);
  if (!step) throw new Error(`no step ${path}`);
  return step;
}

async function startGate(): Promise<string> {
  const { id } = await createFlow(localViewer, { source: flow });
  const run = await startRun(localViewer, id, { input: "Weave a carpet." });
  expect((await waiting(run.id)).status).toBe("WAITING");
  return run.id;
}

async function answer(runId: string, decision: "approved" | "rejected"): Promise<void> {
  const { id, question } = await stepOf(runId, "g/ok");
  await answerQuestion(localViewer, runId, id, { question: question?.number ?? 0, decision });
}

const problemOf = (pending: Promise<unknown>): Promise<unknown> =>
  pending.then(
    () => "nothing was refused",
    (error: unknown) => (error instanceof AppError ? `${error.code}: ${error.message}` : error),
  );

test.each(["cancelled", "rejected"])(
  "a gate of a run that was %s is not passed by a fork with an output",
  async (end) => {
    const run = await startGate();
    if (end === "cancelled") await cancelRun(localViewer, run);
    else await answer(run, "rejected");
    await until(run, isTerminal);
    for (const path of ["g/ok", "g", "/"]) {
      const { id: node } = await stepOf(run, path);
      expect([path, await problemOf(forkRun(localViewer, run, { node, output: "Passed." }))]).toEqual([
        path,
        expect.stringMatching(/^bad_request: .*approval "ok"/),
      ]);
    }
    expect(await db.run.count({ where: { forkedFrom: run } })).toBe(0);
    const { id: node } = await stepOf(run, "g/ok");
    const fork = await forkRun(localViewer, run, { node, input: "Other text." });
    expect((await waiting(fork.id)).status).toBe("WAITING");
    expect((await stepOf(fork.id, "g/ok")).question).toMatchObject({ text: "Other text." });
    await cancelRun(localViewer, fork.id);
  },
);

test("a fork with changes after an approval asks again and says so in the audit log; one without does not", async () => {
  const run = await startGate();
  await answer(run, "approved");
  expect((await until(run, isTerminal)).status).toBe("SUCCESS");
  const { id: node } = await stepOf(run, "b");
  const same = await forkRun(localViewer, run, { node });
  expect((await waiting(same.id)).status).toBe("SUCCESS");
  const detailOf = async (objectId: string) =>
    JSON.parse((await db.auditEvent.findFirstOrThrow({ where: { objectId, action: "run.forked" } })).detail);
  expect(await detailOf(same.id)).toMatchObject({ changed: false, approvalsAskedAgain: 0 });
  for (const edit of [
    { input: "Knot a net." },
    { instructions: "Be rude." },
    { model: "demo:critic" },
    { output: "x" },
  ]) {
    const fork = await forkRun(localViewer, run, { node, ...edit });
    const { status } = await waiting(fork.id);
    expect([edit, status]).toEqual([edit, "WAITING"]);
    const gate = await stepOf(fork.id, "g/ok");
    for (const text of [...Object.keys(edit), ...Object.values(edit)]) expect(gate.question?.message).toContain(text);
    expect(await detailOf(fork.id)).toMatchObject({ step: "b", changed: true, approvalsAskedAgain: 1 });
    expect(gate.question?.fixed).toBe(true);
    const changed = { question: gate.question?.number ?? 0, decision: "approved", text: "Another text." } as const;
    expect(await problemOf(answerQuestion(localViewer, fork.id, gate.id, changed))).toMatch(
      /^bad_request: `text`: .* approve it as it is, or reject it/,
    );
    await answer(fork.id, "approved");
    expect((await until(fork.id, isTerminal)).status).toBe("SUCCESS");
  }
});

test("a fork or retry of a flow that was changed since asks again, and shows what was changed, also in forks of it", async () => {
  const source = flow.replace(
    'b: { model: "demo:writer"',
    'b: { model: "demo:writer", instructions: "demo: error 400"',
  );
  const { id: flowId, revision } = await createFlow(localViewer, { source });
  const { id: run } = await startRun(localViewer, flowId, { input: "Weave a carpet." });
  await waiting(run);
  await answer(run, "approved");
  expect((await until(run, isTerminal)).status).toBe("FAILED");
  const edited = source.replace("demo: error 400", "Pay Mallory.");
  await saveFlow(localViewer, flowId, { source: edited, baseRevision: revision });
  const node = (await stepOf(run, "b")).id;
  const expectShown = async (id: string) => {
    expect((await waiting(id)).status).toBe("WAITING");
    expect((await stepOf(id, "g/ok")).question?.message).toBe(
      'Go on?\n\nThis run is a fork, with changes that this approval covers:\n\n"b", instructions:\nPay Mallory.',
    );
  };
  for (const { id } of [
    await forkRun(localViewer, run, { node, revision: "current" }),
    await retryRun(localViewer, run, { revision: "current" }),
  ]) {
    await expectShown(id);
    await cancelRun(localViewer, id);
    await until(id, isTerminal);
    const again = await retryRun(localViewer, id);
    await expectShown(again.id);
    await cancelRun(localViewer, again.id);
  }
});

test("a fork that drops what its parent had changed asks again", async () => {
  const run = await startGate();
  await answer(run, "approved");
  await until(run, isTerminal);
  const changed = await forkRun(localViewer, run, { node: (await stepOf(run, "b")).id, input: "Knot a net." });
  expect((await waiting(changed.id)).status).toBe("WAITING");
  await answer(changed.id, "approved");
  expect((await until(changed.id, isTerminal)).status).toBe("SUCCESS");
  const { id: node } = await stepOf(changed.id, "b");
  const same = await forkRun(localViewer, changed.id, { node, revision: "recorded" });
  expect((await waiting(same.id)).status).toBe("SUCCESS");
  const current = await forkRun(localViewer, changed.id, { node, revision: "current" });
  expect((await waiting(current.id)).status).toBe("WAITING");
  await cancelRun(localViewer, current.id);
});

describe("where who started a run may not approve in it", () => {
  async function approvedRun() {
    const team = await insertTeamOf(db, { ann: "runner", bob: "runner", eve: "editor" });
    const viewerOf = async (name: "ann" | "bob" | "eve" | "owner") => narrowToTeam(await team.viewerOf(name), team.id);
    const [ann, bob] = [await viewerOf("ann"), await viewerOf("bob")];
    await saveApprovalRule(await viewerOf("owner"), { starterMayNotApprove: true });
    const { id: flowId } = await createFlow(await viewerOf("eve"), { source: flow });
    const { id: run } = await startRun(ann, flowId, { input: "Weave a carpet." });
    /** Until the gate asks a question after that number, or the run has ended. */
    const untilAsked = async (id: string, after = 0) => {
      for (;;) {
        const { status, state } = await getRun(ann, id);
        const gate = state.nodes.find(({ path }) => path === "g/ok");
        if (isTerminal(status) || (status === "WAITING" && (gate?.question?.number ?? 0) > after))
          return { status, state, gate };
        await sleepFor(5);
      }
    };
    /** Resolves to what follows. */
    const approve = async (viewer: Viewer, id: string) => {
      const { gate } = await untilAsked(id);
      const question = gate?.question?.number ?? 0;
      await answerQuestion(viewer, id, gate?.id ?? 0, { question, decision: "approved" });
      return untilAsked(id, question);
    };
    const eve = await viewerOf("eve");
    return { ann, bob, eve, teamId: team.id, run, untilAsked, approve };
  }

  test("the starter sends no message into a run that waits for an approval, or has one; others do", async () => {
    const { ann, bob, run, untilAsked, approve } = await approvedRun();
    await untilAsked(run);
    const told = (viewer: Viewer, id: string) => problemOf(tellAgent(viewer, id, "b", "Pay Mallory."));
    expect(await told(ann, run)).toMatch(
      /^forbidden: You started this run. An approval of it holds for what was shown/,
    );
    expect(await told(bob, run)).toBe("nothing was refused");
    const { gate } = await approve(bob, run);
    expect(gate?.question?.message).toContain("Pay Mallory.");
    const { status, state } = await approve(bob, run);
    expect(status).toBe("SUCCESS");
    const fork = await forkRun(ann, run, { node: state.nodes.find(({ path }) => path === "b")?.id ?? 0 });
    await untilAsked(fork.id);
    // As it was before the last agent began.
    await db.runNode.deleteMany({ where: { runId: fork.id, path: { startsWith: "b" } } });
    await db.run.update({ where: { id: fork.id }, data: { status: "WAITING" } });
    expect(await told(ann, fork.id)).toMatch(/^forbidden: You started/);
  });

  test("an approval does not count in a fork of who gave it", async () => {
    const { ann, bob, run, untilAsked, approve } = await approvedRun();
    const { status, state } = await approve(bob, run);
    expect(status).toBe("SUCCESS");
    const node = state.nodes.find(({ path }) => path === "b")?.id ?? 0;
    const own = await forkRun(bob, run, { node });
    expect((await untilAsked(own.id)).status).toBe("WAITING");
    expect(await problemOf(approve(bob, own.id))).toMatch(/^forbidden/);
    expect((await approve(ann, own.id)).status).toBe("SUCCESS");
    // By Bob in the first run, and by Ann in the fork.
    const second = await forkRun(ann, own.id, { node });
    expect((await untilAsked(second.id)).status).toBe("WAITING");
    await cancelRun(ann, second.id);
    const other = await forkRun(ann, run, { node });
    expect((await untilAsked(other.id)).status).toBe("SUCCESS");
  });

  const nodeOf = ({ state }: { state: { nodes: readonly { path: string; id: number }[] } }) =>
    state.nodes.find(({ path }) => path === "b")?.id ?? 0;

  test.each([
    { step: "g/last", type: "approval", decision: "rejected" },
    { step: "b", type: "question", decision: "approved" },
    { step: "b#llm-1#tool-1", type: "tool", decision: "approved" },
    { step: "g/last", type: "approval", decision: "approved" },
  ])("an answer that is no approval of a reused gate does not count as one's own: %j", async (detail) => {
    const { bob, eve, teamId, run, untilAsked, approve } = await approvedRun();
    const node = nodeOf(await approve(bob, run));
    await recordAudit(db, eve, {
      teamId,
      action: "run.answered",
      object: { type: "run", id: run, name: "Gate" },
      detail,
    });
    const fork = await forkRun(eve, run, { node });
    expect((await untilAsked(fork.id)).status).toBe("SUCCESS");
  });

  test.each([
    ["none", null],
    ["one of another gate", { step: "g/other", type: "approval", decision: "approved" }],
    ["one of a rejection", { step: "g/ok", type: "approval", decision: "rejected" }],
  ])("an approval whose giver the audit log does not have is asked for again: %s", async (_, detail) => {
    const { bob, eve, run, untilAsked, approve } = await approvedRun();
    const node = nodeOf(await approve(bob, run));
    const where = { objectId: run, action: "run.answered" };
    if (detail) await db.auditEvent.updateMany({ where, data: { detail: JSON.stringify(detail) } });
    else await db.auditEvent.deleteMany({ where });
    const fork = await forkRun(eve, run, { node });
    expect((await untilAsked(fork.id)).status).toBe("WAITING");
    await cancelRun(eve, fork.id);
  });

  test("an approval counts in forks of forks, but not in those of who gave it", async () => {
    const { ann, bob, eve, run, untilAsked, approve } = await approvedRun();
    const first = await forkRun(ann, run, { node: nodeOf(await approve(bob, run)) });
    const node = nodeOf(await untilAsked(first.id));
    const second = await forkRun(eve, first.id, { node });
    expect((await untilAsked(second.id)).status).toBe("SUCCESS");
    const own = await forkRun(bob, first.id, { node });
    expect((await untilAsked(own.id)).status).toBe("WAITING");
    await cancelRun(bob, own.id);
  });
});

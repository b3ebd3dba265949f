import "fake-indexeddb/auto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Edit } from "@/lib/core/flow/edit";
import { emptyLayout } from "@/lib/core/flow/edit";
import type { LostWriting, TwinText } from "../live/live";
import { openSession } from "../testing/open-session";
import { keepQuestions } from "./keep-questions";
import { readQuestions } from "./question-store";

const source = `name: Kept
agents:
  a: { model: "demo:writer", instructions: "Theirs" }
swarm: { type: workflow, flow: a }
`;
const field: Edit = { type: "set-agent-field", name: "a", field: "instructions", value: "" };
const lost: LostWriting = {
  owner: "gone",
  by: "Ada",
  isReplaced: false,
  field: { ...field, name: "gone", value: "Mine" },
  text: "Mine",
  before: { source, layout: emptyLayout, type: "agent" },
};
const twin: TwinText = {
  owner: "a",
  field,
  merged: "Theirs",
  parts: [
    { text: "Mine", name: null },
    { text: "Theirs", name: "Ada" },
  ],
  both: null,
};

beforeEach(() => {
  vi.stubGlobal("localStorage", { getItem: () => null });
  vi.stubGlobal("navigator", {});
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** What a tab asks that opens the flow after the others were closed. */
async function openLater(flow: string, text = source) {
  const session = openSession(text, { id: flow });
  const questions = keepQuestions(session, `later-${Math.random()}`);
  await questions.restore();
  return { session, questions, state: session.live.store.getState() };
}

/** Until so many questions of closed tabs are stored. */
const stored = (flow: string, count: number) =>
  expect
    .poll(async () => {
      const { lost = [], twins = [] } = (await readQuestions(flow)) ?? {};
      return lost.length + twins.length;
    })
    .toBe(count);

async function leaveOpen(flow: string, asked: { lost?: LostWriting[]; twins?: TwinText[] }) {
  const session = openSession(source, { id: flow });
  const questions = keepQuestions(session, "first");
  session.live.store.setState(asked);
  await expect.poll(async () => (await readQuestions(flow))?.tabs.length).toBe(1);
  questions.stop();
}

it("asks again what was not answered, after the page was left", async () => {
  await leaveOpen("f1", { lost: [lost], twins: [twin] });
  const { state } = await openLater("f1");
  expect(state.lost).toEqual([lost]);
  expect(state.twins).toMatchObject([{ parts: twin.parts, merged: "Theirs" }]);
  // Also after the next visit, which asks in place of the first one.
  await stored("f1", 2);
  expect((await openLater("f1")).state.lost).toHaveLength(1);
});

it("asks nothing that was answered or discarded", async () => {
  const session = openSession(source, { id: "f2" });
  const questions = keepQuestions(session, "first");
  session.live.store.setState({ lost: [lost] });
  await stored("f2", 1);
  session.live.store.setState({ lost: [] });
  await stored("f2", 0);
  questions.stop();
  const { state } = await openLater("f2");
  expect([state.lost, state.twins]).toEqual([[], []]);
});

it("asks of another flow nothing", async () => {
  await leaveOpen("f3", { lost: [lost] });
  expect((await openLater("f4")).state.lost).toEqual([]);
});

it("shows the text of a field that is gone, and asks nothing where the flow has this user's text", async () => {
  await leaveOpen("f5", { twins: [twin] });
  const { state } = await openLater("f5", source.replaceAll(/\ba\b/g, "b"));
  expect(state.twins).toEqual([]);
  expect(state.lost).toMatchObject([{ owner: "a", text: "Mine" }]);
  await leaveOpen("f6", { twins: [twin] });
  expect((await openLater("f6", source.replace("Theirs", "Mine"))).state.twins).toEqual([]);
});

it("leaves out what it cannot read", async () => {
  const broken = { ...lost, text: 5 };
  // @ts-expect-error What another release may have stored.
  await leaveOpen("f7", { lost: [broken, lost] });
  expect((await openLater("f7")).state.lost).toEqual([lost]);
});

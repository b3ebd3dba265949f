import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Peer } from "@/lib/core/live/messages";
import type { Session } from "../session";
import { openSession } from "../testing/open-session";
import { isConnectionLost } from "./is-connection-lost";
import { type AccessWatch, watchAccess } from "./watch-access";

const self: Peer = { id: "1", userId: "ann", name: "Ann", color: 0, canWrite: true, presence: null };

let answers: { me: number; flow: number; mayPublish: boolean };
let requests: string[];
let isVisible: EventTarget & { visibilityState?: string };
beforeEach(() => {
  answers = { me: 200, flow: 200, mayPublish: true };
  requests = [];
  isVisible = Object.assign(new EventTarget(), {
    visibilityState: "visible",
    documentElement: { dataset: { user: "ann" } },
  });
  vi.stubGlobal("document", isVisible);
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("fetch", async (url: string) => {
    requests.push(url);
    const me = { user: { id: "ann" }, teams: [] };
    const [status, body] = url === "/api/v1/me" ? [answers.me, me] : [answers.flow, { mayPublish: answers.mayPublish }];
    return new Response(JSON.stringify(body), { status });
  });
});
afterEach(() => vi.unstubAllGlobals());

function open(): { session: Session; watch: AccessWatch; calls: string[] } {
  const access = { team: "team", mayEdit: true, mayRun: true, mayManage: false };
  const session = openSession("name: a\n", { access });
  const calls: string[] = [];
  const watch = watchAccess(session, { onLost: () => calls.push("lost"), onRegained: () => calls.push("regained") });
  return { session, watch, calls };
}
const standingOf = ({ autosave, view }: Session) => {
  const { phase, accessLoss } = autosave.store.getState();
  return [phase, accessLoss, view.getState().dialog];
};

it.each(["reconnecting", "off"] as const)("a connection that is lost (%s) tells who left the team", async (status) => {
  const { session, watch, calls } = open();
  answers.flow = 404;
  session.live.store.setState({ status, self });
  await expect.poll(() => session.autosave.store.getState().phase).toBe("no-access");
  expect(standingOf(session)).toEqual(["no-access", "left-team", "no-access"]);
  expect(calls).toEqual(["lost"]);
  watch.stop();
});

it("a refused save, and the loss of the role Editor, are looked into", async () => {
  const { session, watch } = open();
  answers.me = 401;
  session.autosave.apply({ type: "failed", message: "Sign in.", retryable: false });
  await expect.poll(() => session.autosave.store.getState().phase).toBe("no-access");
  expect(standingOf(session)).toEqual(["no-access", "signed-out", "no-access"]);
  watch.stop();

  const demoted = open();
  answers = { me: 200, flow: 200, mayPublish: false };
  demoted.session.live.store.setState({ status: "together", self });
  demoted.session.live.store.setState({ self: { ...self, canWrite: false } });
  await expect.poll(() => demoted.session.autosave.store.getState().phase).toBe("no-access");
  expect(standingOf(demoted.session)).toEqual(["no-access", "read-only", "no-access"]);
  demoted.watch.stop();
});

it("where WebSockets never connect nothing is asked: saves find it out", () => {
  const { session, watch } = open();
  session.live.store.setState({ status: "off", peers: [] });
  expect(requests).toEqual([]);
  watch.stop();
});

it.each([
  ["the user is back", () => isVisible.dispatchEvent(new Event("visibilitychange"))],
  ["the network is back", () => window.dispatchEvent(new Event("online"))],
])("asks no more while access is lost, until %s, and then continues", async (_, come) => {
  const { session, watch, calls } = open();
  answers.me = 401;
  await watch.check();
  const count = requests.length;
  session.live.store.setState({ status: "off" });
  session.live.store.setState({ status: "off", peers: [] });
  expect(requests).toHaveLength(count);
  answers.me = 200;
  come();
  await expect.poll(() => session.autosave.store.getState().phase).toBe("saved");
  expect(standingOf(session)).toEqual(["saved", null, null]);
  expect(calls).toEqual(["lost", "regained"]);
  watch.stop();
});

it("a server that does not answer takes no access away", async () => {
  const { session, watch, calls } = open();
  answers = { me: 503, flow: 503, mayPublish: true };
  await watch.check();
  expect(standingOf(session)).toEqual(["saved", null, null]);
  expect(calls).toEqual([]);
  watch.stop();
});

it("a connection is lost only where there was one", () => {
  expect(isConnectionLost({ status: "off", self: null })).toBe(false);
  expect(isConnectionLost({ status: "off", self })).toBe(true);
  expect(isConnectionLost({ status: "alone", self })).toBe(false);
});

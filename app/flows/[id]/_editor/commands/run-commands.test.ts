import { afterEach, expect, it, vi } from "vitest";
import type { RunStatus } from "@/lib/core/run/events/run-status";
import type { Session } from "../state/session";
import { startedRun } from "../state/shown-run";
import { openSession } from "../state/testing/open-session";
import { requestRun, toggleRunPanel } from "./run-commands";

const toSession = (provider: string): Session => {
  const session = openSession(`agents:\n  a: { model: "${provider}:x" }\nswarm: { flow: a }\n`, {
    providers: [
      { id: "demo", label: "Demo", available: true, models: [] },
      { id: "compatible", label: "Own", available: false, missing: "COMPATIBLE_BASE_URL", models: [] },
    ],
    lastInput: "Looms",
  });
  return { ...session, notify: { error: vi.fn(), info: vi.fn() } };
};

const stubStart = () => {
  const fetched = vi.fn(async (_url: string, _init: { body: string }) =>
    Response.json({ id: "run-1" }, { status: 202 }),
  );
  vi.stubGlobal("fetch", fetched);
  return { fetched, bodies: () => fetched.mock.calls.map(([, { body }]) => JSON.parse(body)) };
};

afterEach(() => vi.unstubAllGlobals());

it("runs the saved revision on the input of the strip and shows the run", async () => {
  const session = toSession("demo");
  const { bodies } = stubStart();
  await requestRun(session);
  expect(bodies()).toEqual([{ input: "Looms", revision: "r1", simulate: false }]);
  expect(session.view.getState()).toMatchObject({ run: "run-1", runPanel: "open", preparing: false });
  expect(session.view.getState().figures).toEqual(startedRun("run-1", false));
});

it("asks for the input before the first run, and runs without one when requested again", async () => {
  const session = toSession("demo");
  const { bodies } = stubStart();
  session.view.setState({ runInput: " " });
  await requestRun(session);
  expect(bodies()).toEqual([]);
  expect(session.view.getState()).toMatchObject({ isInputMissing: true, run: null });
  await requestRun(session);
  expect(bodies()).toEqual([{ input: " ", revision: "r1", simulate: false }]);
  expect(session.view.getState().isInputMissing).toBe(false);
});

it("does not ask for the input of a flow that has run without one", async () => {
  const session = toSession("demo");
  const { bodies } = stubStart();
  session.view.setState({ runInput: "", figures: { ...startedRun("run-0", false), status: "SUCCESS" } });
  await requestRun(session);
  expect(bodies()).toEqual([{ input: "", revision: "r1", simulate: false }]);
});

it("uses a provider for new agents as soon as it is connected", () => {
  const session = toSession("compatible");
  session.view.setState({
    providers: session.view
      .getState()
      .providers.map((provider) => ({ ...provider, models: [provider.id === "demo" ? "agent" : "llama"] })),
  });
  session.editor.replace("agents: {}\nswarm: { type: workflow }\n", { pins: {} });
  expect(session.actions.usualModel()).toBe("demo:agent");
  session.connect("compatible", "unknown");
  expect(session.actions.usualModel()).toBe("compatible:llama");
});

it("explains a missing key, but simulates without one", async () => {
  const session = toSession("compatible");
  const { bodies } = stubStart();
  await requestRun(session);
  expect(session.view.getState().dialog).toBe("blocked");
  expect(bodies()).toEqual([]);
  await requestRun(session, { simulate: true });
  expect(bodies()).toEqual([{ input: "Looms", revision: "r1", simulate: true }]);
  expect(session.view.getState()).toMatchObject({ run: "run-1", dialog: null });
});

it.each<[RunStatus, number]>([
  ["INIT", 0],
  ["RUNNING", 0],
  ["WAITING", 1],
  ["SUCCESS", 1],
])("while the shown run is %s it starts %i other runs", async (status, count) => {
  const session = toSession("demo");
  const { fetched } = stubStart();
  session.view.setState({ run: "run-0", figures: { ...startedRun("run-0", false), status } });
  await requestRun(session);
  expect(fetched).toHaveBeenCalledTimes(count);
});

it("tells why a run did not start, and can start again", async () => {
  const session = toSession("demo");
  vi.stubGlobal("fetch", async () =>
    Response.json({ error: { code: "bad_request", message: "No." } }, { status: 400 }),
  );
  await requestRun(session);
  expect(session.notify.error).toHaveBeenCalledWith("No.");
  expect(session.view.getState()).toMatchObject({ run: null, preparing: false });
});

it("opens the panel with the last run, and closes it without hiding the run", () => {
  const { view, ...session } = toSession("demo");
  toggleRunPanel({ view, ...session });
  expect(view.getState().runPanel).toBe("closed");
  view.setState({ figures: startedRun("run-0", false) });
  toggleRunPanel({ view, ...session });
  expect(view.getState()).toMatchObject({ runPanel: "open", run: "run-0" });
  toggleRunPanel({ view, ...session });
  expect(view.getState()).toMatchObject({ runPanel: "closed", run: "run-0" });
});

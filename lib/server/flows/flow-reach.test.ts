import { beforeAll, expect, test } from "vitest";
import { AppError } from "../app-error";
import { localTeamId, localViewer, toTeamViewer } from "../auth/viewer";
import { startRun } from "../runs/commands";
import { startServices } from "../start";
import { saveToolRules, type ToolRules } from "../tools/tool-rules";
import { createFlow, duplicateFlow, saveFlow } from "./commands";
import { confirmReach, expectImport } from "./flow-reach";

const source = (tools: string, more = "") =>
  `name: Foreign\nagents:\n  a: { model: "demo:a", tools: [${tools}]${more} }\nswarm: { flow: a }\n`;
const stranger = toTeamViewer({ id: "eve", name: "Eve" }, { teamId: "elsewhere", role: "owner" });
const reader = toTeamViewer({ id: "vic", name: "Vic" }, { teamId: localTeamId, role: "viewer" });
const key = toTeamViewer({ id: "key:1", name: "Key" }, { teamId: localTeamId, role: "owner" });

beforeAll(async () => {
  process.env.COMPATIBLE_BASE_URL = "http://127.0.0.1:9/v1";
  process.env.SEARXNG_URL = "http://127.0.0.1:9";
  await startServices();
  await globalThis.swarmloomServices?.endRuns();
});

const refusalOf = (pending: Promise<unknown>): Promise<unknown> =>
  pending.then(
    () => "accepted",
    (error: unknown) => (error instanceof AppError ? (error.details ?? error.code) : error),
  );
const start = (id: string, simulate = false) => refusalOf(startRun(localViewer, id, { input: "x", simulate }));

test("a flow from elsewhere runs once a member confirmed what it reaches, and is asked again when it reaches more", async () => {
  const { id, revision } = await createFlow(localViewer, { source: source("read_page, http_request"), imported: true });
  const reach = ["tool http_request without approval", "tool read_page"];
  expect(await start(id)).toEqual({ reach });
  expect(await start(id, true)).toEqual({ reach });
  await confirmReach(localViewer, id, reach);
  expect(await start(id)).toBe("accepted");
  await saveFlow(localViewer, id, { source: source("read_page, web_search"), baseRevision: revision });
  expect(await start(id)).toEqual({ reach: ["tool read_page", "tool web_search"] });
  expect(await refusalOf(startRun(localViewer, id, { input: "x", revision }))).toBe("accepted");
});

test("the models of routers are asked with the keys of the team, too", async () => {
  const text = `name: Foreign
agents:
  a: { model: "demo:a" }
routers:
  choose: { model: "compatible:x", lanes: { one: { when: "always", flow: a } } }
swarm: { flow: choose }
`;
  const { id } = await createFlow(localViewer, { source: text, imported: true });
  expect(await start(id)).toEqual({ reach: ["model compatible"] });
});

test("a simulated run is asked about tools only: it asks no model with a key of the team", async () => {
  const text = source("read_page").replace("demo:a", "compatible:x");
  const { id } = await createFlow(localViewer, { source: text, imported: true });
  expect(await start(id, true)).toEqual({ reach: ["tool read_page"] });
  await confirmReach(localViewer, id, ["tool read_page"]);
  expect(await start(id, true)).toBe("accepted");
  expect(await start(id)).toEqual({ reach: ["model compatible", "tool read_page"] });
});

test("what needs an approval is told from what acts on its own", async () => {
  const text = source("http_request", ", needs_approval: [http_request]");
  const { id } = await createFlow(localViewer, { source: text, imported: true });
  expect(await start(id)).toEqual({ reach: ["tool http_request"] });
});

test("approvals that the team requires in every flow count, and are asked about once they are required no more", async () => {
  const setRules = (needApproval: ToolRules["needApproval"]) =>
    saveToolRules(localViewer, { switchedOff: [], needApproval, httpHosts: null });
  const { id } = await createFlow(localViewer, { source: source("http_request"), imported: true });
  await setRules(["http_request"]);
  expect(await start(id)).toEqual({ reach: ["tool http_request"] });
  await confirmReach(localViewer, id, ["tool http_request"]);
  expect(await start(id)).toBe("accepted");
  await setRules([]);
  expect(await start(id)).toEqual({ reach: ["tool http_request without approval"] });
  await confirmReach(localViewer, id, ["tool http_request without approval"]);
  await setRules(["http_request"]);
  expect(await start(id)).toBe("accepted");
  await setRules([]);
});

test("a copy of a flow from elsewhere is asked, too", async () => {
  const { id } = await createFlow(localViewer, { source: source("read_page"), imported: true });
  await confirmReach(localViewer, id, ["tool read_page"]);
  expect(await start((await duplicateFlow(localViewer, id)).id)).toEqual({ reach: ["tool read_page"] });
});

test("text from elsewhere in a flow of the team is asked about, as far as it reaches more", async () => {
  const { id, revision } = await createFlow(localViewer, { source: source("http_request") });
  for (const viewer of [stranger, reader]) expect(await refusalOf(expectImport(viewer, id))).not.toBe("accepted");
  await expectImport(localViewer, id);
  expect(await start(id)).toBe("accepted");
  const more = { source: source("http_request, web_search"), baseRevision: revision };
  await saveFlow(localViewer, id, more);
  const reach = ["tool http_request without approval", "tool web_search"];
  expect(await start(id)).toEqual({ reach });
  await expectImport(localViewer, id);
  expect(await start(id)).toEqual({ reach });
  await confirmReach(localViewer, id, reach);
  expect(await start(id)).toBe("accepted");
});

test("flows that were made here, and copies of them, are not asked", async () => {
  const { id } = await createFlow(localViewer, { source: source("http_request") });
  expect(await start(id)).toBe("accepted");
  await confirmReach(localViewer, id, ["tool read_page"]);
  expect(await start((await duplicateFlow(localViewer, id)).id)).toBe("accepted");
});

test("only members who may run it confirm, and no program", async () => {
  const { id } = await createFlow(localViewer, { source: source("read_page"), imported: true });
  const refused = await Promise.all(
    [stranger, reader, key].map((viewer) => refusalOf(confirmReach(viewer, id, ["tool read_page"]))),
  );
  expect(refused).toEqual(["not_found", "not_found", "forbidden"]);
  expect(await start(id)).toEqual({ reach: ["tool read_page"] });
});

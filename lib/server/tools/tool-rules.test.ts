import { beforeAll, beforeEach, expect, test } from "vitest";
import { localTeamId, localViewer, toTeamViewer } from "../auth/viewer";
import type { Db } from "../db";
import { createFlow } from "../flows/commands";
import { findTeamWorld } from "../run-world";
import { startRun } from "../runs/commands";
import { startServices } from "../start";
import {
  findToolRules,
  getToolRules,
  loadToolRules,
  saveToolRules,
  type ToolRules,
  toolRulesSchema,
} from "./tool-rules";

const noRules: ToolRules = { switchedOff: [], needApproval: [], httpHosts: null };
const editor = toTeamViewer({ id: "ed", name: "Ed" }, { teamId: localTeamId, role: "editor" });
const source = `name: Sums\nagents:\n  a: { model: "demo:a", tools: [calculator] }\nswarm: { flow: a }\n`;
const context = { signal: new AbortController().signal, now: Date.now, idempotencyKey: "k" };

let db: Db;
beforeAll(async () => {
  db = await startServices();
  await globalThis.swarmloomServices?.endRuns();
});
beforeEach(() => saveToolRules(localViewer, noRules));

test("only those who manage the team see and change them", async () => {
  const rules: ToolRules = { switchedOff: ["file_write"], needApproval: ["web_search"], httpHosts: ["*.example.org"] };
  expect(await saveToolRules(localViewer, rules)).toEqual(rules);
  expect(await getToolRules(localViewer)).toEqual(rules);
  const attempts = [getToolRules(editor), saveToolRules(editor, noRules)];
  await Promise.all(attempts.map((attempt) => expect(attempt).rejects.toMatchObject({ code: "forbidden" })));
});

test("a flow with a tool that is switched off does not run, and says so; other teams are not concerned", async () => {
  const { id } = await createFlow(localViewer, { source });
  await saveToolRules(localViewer, { ...noRules, switchedOff: ["calculator"] });
  for (const simulate of [false, true])
    await expect(startRun(localViewer, id, { input: "1+1", simulate })).rejects.toThrow("is switched off in this team");
  const calculator = findTeamWorld("elsewhere").tools?.find("calculator");
  expect(await calculator?.execute({ expression: "1+1" }, context)).toBeDefined();
  await saveToolRules(localViewer, noRules);
  await expect(startRun(localViewer, id, { input: "1+1" })).resolves.toBeDefined();
});

test("a run that is under way follows a change from its next call on", async () => {
  const { tools } = findTeamWorld(localTeamId);
  const calculator = tools?.find("calculator");
  expect(await calculator?.execute({ expression: "1+1" }, context)).toBeDefined();
  await saveToolRules(localViewer, { ...noRules, switchedOff: ["calculator"] });
  await expect(calculator?.execute({ expression: "1+1" }, context)).rejects.toThrow("switched off in this team");
  await saveToolRules(localViewer, { ...noRules, httpHosts: [] });
  const request = tools?.find("http_request")?.execute({ url: "https://example.org/", method: "GET" }, context);
  await expect(request).rejects.toThrow("none of the hosts that this team allows");
});

test("approvals are required in addition to those of the server, and rules outlive the process", async () => {
  await saveToolRules(localViewer, { ...noRules, needApproval: ["calculator", "spawn_agent"] });
  globalThis.swarmloomToolRules = undefined;
  expect(findToolRules(localTeamId)).toEqual(noRules);
  await loadToolRules(db);
  expect([...(findTeamWorld(localTeamId).approvalRequired ?? [])].toSorted()).toEqual(["calculator", "spawn_agent"]);
  expect(findTeamWorld("elsewhere").approvalRequired?.size).toBe(0);
});

test.each([
  [{ switchedOff: ["calculater"] }],
  [{ switchedOff: ["ask_human"] }],
  [{ needApproval: [7] }],
  [{ httpHosts: ["https://example.org"] }],
  [{ httpHosts: ["example.org:80"] }],
  [{ httpHosts: ["*"] }],
  [{ httpHosts: ["*.*.org"] }],
  [{ httpHosts: [""] }],
  [{ httpHosts: Array.from({ length: 201 }, (_, index) => `h${index}.org`) }],
  [{ more: 1 }],
])("refuses %j", (part) => expect(toolRulesSchema.safeParse({ ...noRules, ...part }).success).toBe(false));

test("hosts are written as URLs write them", () => {
  const written = { ...noRules, httpHosts: ["EXAMPLE.org", "*.Bücher.de", "example.org"] };
  expect(toolRulesSchema.parse(written).httpHosts).toEqual(["*.xn--bcher-kva.de", "example.org"]);
});

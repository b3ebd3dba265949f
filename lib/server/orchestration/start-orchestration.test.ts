import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { localViewer } from "../auth/viewer";
import { createFlow, saveFlow } from "../flows/commands";
import { getFlow } from "../flows/queries";
import { startRun } from "../runs/commands";
import { getAgent, getAgentHistory, getAgentResult, listAgents } from "../runs/read/agent-queries";
import { getRun } from "../runs/read/queries";
import { waitForEnd } from "../runs/testing/own-executors";
import { startServices } from "../start";
import { startOrchestration } from "./start-orchestration";

/** A workspace that is set before anything reads the environment. */
const workspace = mkdtempSync(path.join(os.tmpdir(), "swarmloom-goal-"));
process.env.SWARMLOOM_WORKSPACE = workspace;
process.env.SEARXNG_URL = "http://127.0.0.1:9";
beforeAll(async () => {
  await startServices();
  mkdirSync(path.join(workspace, "site/pages"), { recursive: true });
  writeFileSync(path.join(workspace, "notes.md"), "Notes.\n");
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

describe("a goal without a flow", () => {
  const model = "demo:planner";

  test("gets a lead with the workspace's file tools, and with web_search where a service is set up", async () => {
    const { flow, run } = await startOrchestration(localViewer, { goal: "Tidy up", model });
    expect((await getFlow(localViewer, flow)).source).toMatch(/web_search, file_read, .*get_diffs/);
    await waitForEnd(run);
  });

  test("runs the flow with the right content, whatever its name", async () => {
    const first = await startOrchestration(localViewer, { goal: "One", model });
    const { source, revision } = await getFlow(localViewer, first.flow);
    await saveFlow(localViewer, first.flow, {
      source: source.replace("Reach the goal.", "Do nothing."),
      baseRevision: revision,
    });
    const second = await startOrchestration(localViewer, { goal: "Two", model });
    expect(second.flow).not.toBe(first.flow);
    const { id: decoy } = await createFlow(localViewer, { source: `name: Goals, ${model}\n` });
    const third = await startOrchestration(localViewer, { goal: "Three", model });
    expect(third.flow).toBe(second.flow);
    expect(third.flow).not.toBe(decoy);
    await Promise.all([first, second, third].map(({ run }) => waitForEnd(run)));
  });

  test.each([
    ["site/pages", 'The project is in the folder "site/pages" of the workspace.'],
    ["./site/", 'The project is in the folder "site" of the workspace.'],
    [path.join(workspace, "site"), 'The project is in the folder "site" of the workspace.'],
    [workspace, "The project is the workspace."],
  ])("may be about the project %s", async (projectPath, sentence) => {
    const { run } = await startOrchestration(localViewer, { goal: "Look around", model, projectPath });
    expect((await waitForEnd(run)).state.input.text).toContain(`Look around\n\n${sentence}`);
  });

  test.each(["..", "/etc", "site/../..", "notes.md", "missing", "\0"])(
    "refuses the project %j",
    async (projectPath) => {
      await expect(startOrchestration(localViewer, { goal: "Look around", model, projectPath })).rejects.toMatchObject({
        code: "bad_request",
        message: expect.stringContaining("`projectPath`"),
      });
    },
  );
});

describe("the agents of a run", () => {
  const source = `agents:
  lead: { model: "demo:planner", instructions: Spawn agents for the parts. }
  clerk: { model: "demo:clerk", instructions: "Work out 2 * 3.", tools: [calculator] }
swarms:
  desk: { type: orchestrate, agents: [lead, clerk] }
swarm: { flow: desk }
`;
  let run = "";
  beforeAll(async () => {
    const { id } = await createFlow(localViewer, { source });
    run = (await startRun(localViewer, id, { input: "Work out 2 * 3" })).id;
    await waitForEnd(run);
  });

  test("count their tool calls, and list each with its arguments and result", async () => {
    const { agents } = await listAgents(localViewer, { run });
    const clerk = agents.find(({ name }) => name === "clerk");
    expect(clerk).toMatchObject({ spawned: true, toolCalls: 1 });
    const { messages, calls } = await getAgentHistory(localViewer, { id: clerk?.id ?? "" });
    expect(calls).toMatchObject([
      {
        tool: "calculator",
        arguments: { text: '{"expression":"2 * 3"}' },
        status: "SUCCESS",
        result: { text: "2 * 3 = 6" },
      },
    ]);
    expect(messages.map(({ role }) => role)).toContain("tool");
    expect(await getAgent(localViewer, { id: clerk?.id ?? "" })).toMatchObject({ toolCalls: 1 });
  });

  test("answer to the id that spawn_agent returned, with their run", async () => {
    const { state } = await getRun(localViewer, run);
    const call = state.nodes.find(({ name }) => name === "spawn_agent");
    const { id }: { id: string } = JSON.parse(call?.output.text ?? "{}");
    expect(id).toBe("desk/agent-1");
    const { agents } = await listAgents(localViewer, { run });
    const row = agents.find(({ spawnedId }) => spawnedId === id);
    expect(row).toBeDefined();
    expect((await getAgent(localViewer, { id, run })).id).toBe(row?.id);
    expect(await getAgentResult(localViewer, { id: `${run}.${id}` })).toMatchObject({ id: row?.id, isOver: true });
    for (const missing of [{ id }, { id: "agent-1", run }, { id: "desk/agent-9", run }, { id, run: "elsewhere" }])
      await expect(getAgent(localViewer, missing)).rejects.toMatchObject({ code: "not_found" });
  });
});

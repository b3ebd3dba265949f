import { expect, test } from "../fixtures/test";
import { slowMembers } from "../fixtures/wire-server";

test("three parallel members of 2 s each end within 3 s, overlap, and are joined in declared order", async ({
  api,
}) => {
  const { id } = await api.createFlow(`name: Slow
agents:
  a: { model: "openai:slow-1" }
  b: { model: "openai:slow-2" }
  c: { model: "openai:slow-3" }
swarm: { type: workflow, flow: (a | b | c) }
`);
  // The first run makes the server load the provider's client.
  await api.waitForRun(await api.startRun(id, "get ready"));
  const run = await api.waitForRun(await api.startRun(id, "go"));
  expect(run.status).toBe("SUCCESS");
  expect(run.output.text).toBe("answer 1\n\nanswer 2\n\nanswer 3");

  const agents = run.state.nodes.filter((node) => node.kind === "agent");
  const ends = agents.map((node) => node.endedAt ?? Number.NaN);
  const starts = agents.map((node) => node.startedAt);
  expect(agents.map((node) => node.name)).toEqual(["a", "b", "c"]);
  expect(Math.max(...ends) - Math.min(...starts)).toBeLessThan(3000);
  expect(Math.max(...starts)).toBeLessThan(Math.min(...ends));
  agents.forEach((node, index) => {
    expect((node.endedAt ?? 0) - node.startedAt).toBeGreaterThanOrEqual(Number(slowMembers[index]) - 50);
  });
  expect(ends[2]).toBeLessThan(Number(ends[0]));
});

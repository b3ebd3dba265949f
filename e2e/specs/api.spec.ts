import { expect, test } from "../fixtures/test";
import { wires } from "../fixtures/wire-server";

const flow = `name: Threads
agents:
  researcher: { model: "MODEL", instructions: You research., tools: [calculator] }
  writer: { model: "MODEL", instructions: You write. }
swarm: { type: workflow, flow: researcher >> writer }
`;

for (const { provider, model, path, body } of wires) {
  test(`${provider} wire: streams, calls a tool, and stores the exact request`, async ({ api, wire }) => {
    const { id } = await api.createFlow(flow.replaceAll("MODEL", model));
    const run = await api.waitForRun(await api.startRun(id, `How many threads for ${provider}?`));
    expect(run).toMatchObject({ status: "SUCCESS", simulated: false });
    expect(run.output.text).toContain("Three researchers counted 51 threads.");

    const kinds = run.state.nodes.map((node) => `${node.kind} ${node.name}`);
    expect(kinds).toContain("tool_call calculator");
    expect(run.state.nodes.find((node) => node.kind === "tool_call")).toMatchObject({
      output: { text: expect.stringContaining("51") },
    });

    const received = wire
      .getRequests()
      .filter(
        (entry) => entry.path.startsWith(path) && JSON.stringify(entry.body).includes(`threads for ${provider}?`),
      );
    const sent = run.state.nodes.filter((node) => node.kind === "llm_call" && node.path.startsWith("researcher"));
    expect(sent).toHaveLength(2);
    expect(received.length).toBeGreaterThanOrEqual(2);
    for (const node of sent) {
      expect(node.request?.url).toContain(path);
      expect(JSON.stringify(node.request)).not.toContain("loopback-");
      const said: unknown = JSON.parse(node.request?.body.text ?? "{}");
      expect(said).toMatchObject(body);
      expect(JSON.stringify(said)).toContain("calculator");
    }
  });
}

test("events resume after the last received one", async ({ api, app }) => {
  const { id } = await api.createFlow(
    `name: One\nagents:\n  a: { model: "demo:writer" }\nswarm: { type: workflow, flow: a }\n`,
  );
  const runId = await api.startRun(id, "Looms");
  await api.waitForRun(runId);
  const read = async (headers: Record<string, string> = {}): Promise<number[]> => {
    const answer = await fetch(`${app.url}/api/v1/runs/${runId}/events`, { headers });
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    return [...(await answer.text()).matchAll(/^id: ?(\d+)$/gm)].map((match) => Number(match[1]));
  };
  const all = await read();
  expect(all).toEqual(all.map((_, index) => index + 1));
  expect(await read({ "last-event-id": "3" })).toEqual(all.slice(3));
});

test("a run shows the revision that it runs, whatever was saved later", async ({ api, app }) => {
  const source = `name: One\nagents:\n  a: { model: "demo:writer" }\nswarm: { type: workflow, flow: a }\n`;
  const { id, revision } = await api.createFlow(source);
  const runId = await api.startRun(id, "Looms");
  const saved = await fetch(`${app.url}/api/v1/flows/${id}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ source: source.replace("One", "Two"), baseRevision: revision }),
  });
  expect(saved.status).toBe(200);
  const answer = await fetch(`${app.url}/api/v1/runs/${runId}/flow`);
  expect(await answer.json()).toEqual({ source, layout: { pins: {} } });
  expect((await fetch(`${app.url}/api/v1/runs/none/flow`)).status).toBe(404);
});

test("long responses are compressed", async ({ api, app }) => {
  const { id } = await api.createFlow(
    `name: One\nagents:\n  a: { model: "demo:writer" }\nswarm: { type: workflow, flow: a }\n`,
  );
  const run = await api.waitForRun(await api.startRun(id, "Looms"));
  for (const part of ["structure", "turns", "file", "otlp"]) {
    const answer = await fetch(`${app.url}/api/v1/runs/${run.id}/${part}`, { headers: { "accept-encoding": "gzip" } });
    expect([answer.status, answer.headers.get("content-encoding")]).toEqual([200, "gzip"]);
    expect(await answer.json()).toBeTruthy();
  }
});

test("invalid input gets a clear error and changes nothing", async ({ api, app }) => {
  const { id, revision } = await api.createFlow(
    `name: Kept\nagents:\n  a: { model: "demo:writer" }\nswarm: { type: workflow, flow: a }\n`,
  );
  const send = (method: string, path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(app.url + path, { method, body, headers: { "content-type": "application/json", ...headers } });
  const cases: [status: number, answer: Promise<Response>][] = [
    [400, send("POST", "/api/v1/flows", "{")],
    [400, send("POST", "/api/v1/flows", JSON.stringify({ source: 7 }))],
    [400, send("POST", `/api/v1/flows/${id}/runs`, JSON.stringify({ input: ["x"] }))],
    [413, send("POST", "/api/v1/flows", JSON.stringify({ source: "x".repeat(6_000_000) }))],
    [404, send("POST", "/api/v1/flows/nobody/runs", JSON.stringify({ input: "x" }))],
    [404, fetch(`${app.url}/api/v1/runs/nobody`)],
    [409, send("PUT", `/api/v1/flows/${id}`, JSON.stringify({ source: "name: Other\n", baseRevision: "stale" }))],
    [403, send("POST", "/api/v1/flows", JSON.stringify({ source: "name: X\n" }), { origin: "https://evil.example" })],
  ];
  for (const [status, pending] of cases) {
    const answer = await pending;
    const body: unknown = await answer.json();
    expect(answer.status, JSON.stringify(body)).toBe(status);
    expect(body).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } });
  }
  const kept = await (await fetch(`${app.url}/api/v1/flows/${id}`)).json();
  expect(kept).toMatchObject({ name: "Kept", revision });
});

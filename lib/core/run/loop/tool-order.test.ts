import { describe, expect, test } from "vitest";
import { z } from "zod";
import { agents, call, reply, runFile, sentTo } from "../orbiter/flow-file.arbitrary";
import type { Tool } from "../ports/tool";
import { continueRun } from "../testing/killed-run";
import type { ScriptedTurn } from "../testing/scripted-model";

/** A note that is written a moment after its tool was called, and read at once. */
function createNotebook(isIdempotent?: Tool["isIdempotent"]) {
  let note = "nothing";
  const calls: string[] = [];
  const define = (name: string, execute: () => Promise<string>): Tool => ({
    spec: { name, description: "", parameters: { type: "object" } },
    input: z.unknown(),
    ...(isIdempotent && { isIdempotent }),
    execute: () => {
      calls.push(name);
      return execute();
    },
  });
  const tools = [
    define("write", async () => {
      // Virtual time does not pass meanwhile.
      for (let turn = 0; turn < 50; turn++) await Promise.resolve();
      note = "kept";
      return "written";
    }),
    define("read", async () => note),
    define("fail", async () => {
      throw new Error("broken");
    }),
  ];
  return { tools, calls };
}

const turnOf = (...names: string[]): ScriptedTurn => ({ calls: names.map((name) => ({ name })) });
const one = (fields = ""): string =>
  `agents:\n  a: { model: "scripted:m", tools: [write, read, fail]${fields} }\nswarm: { flow: a }\n`;
const results = (ran: Awaited<ReturnType<typeof runFile>>, agent = "a"): string[] =>
  (sentTo(ran, agent).at(-1) ?? []).filter((text) => text.startsWith("T:"));

describe("the tool calls of one turn", () => {
  test("run in call order with tool_calls sequential: a read sees the write before it", async () => {
    const { tools } = createNotebook();
    const ran = await runFile(one(", tool_calls: sequential"), {
      tools,
      script: { a: [turnOf("write", "read"), reply("fin")] },
    });
    expect(results(ran)).toEqual(["T:written", "T:kept"]);
    const [first, second] = ["a#llm-1#tool-1", "a#llm-1#tool-2"].map((path) => ({
      start: ran.started.find((event) => event.path === path)?.seq ?? 0,
      end: ran.end(path).seq,
    }));
    expect(second?.start).toBeGreaterThan(first?.end ?? 0);
    expect(ran.end("a").metadata?.decisions).toContain("execute-tools in order: write, read");
  });

  test("144: run at once otherwise", async () => {
    const { tools } = createNotebook();
    const ran = await runFile(one(), { tools, script: { a: [turnOf("write", "read"), reply("fin")] } });
    expect(results(ran)).toEqual(["T:written", "T:nothing"]);
    expect(ran.end("a").metadata?.decisions).toContain("execute-tools: write, read");
  });

  test("go on in order after one that failed", async () => {
    const { tools, calls } = createNotebook();
    const ran = await runFile(one(", tool_calls: sequential"), {
      tools,
      script: { a: [turnOf("fail", "write", "read"), reply("fin")] },
    });
    expect(calls).toEqual(["fail", "write", "read"]);
    expect(results(ran).slice(1)).toEqual(["T:written", "T:kept"]);
  });

  test("that have not begun are not run when the run is cancelled", async () => {
    const { tools, calls } = createNotebook();
    const ran = await runFile(one(", tool_calls: sequential"), {
      tools,
      script: { a: [turnOf("write", "read"), reply("fin")] },
      onEvent: (event, { abort }) => {
        if (event.type === "node.started" && event.name === "write") abort.abort();
      },
    });
    expect(ran.last.status).toBe("CANCELLED");
    expect(calls).not.toContain("read");
  });

  test("keep their order in a run that was killed between them; what has ended is not run again", async () => {
    const { tools, calls } = createNotebook();
    const sketch = {
      source: one(", tool_calls: sequential"),
      tools,
      script: { a: [turnOf("write", "read"), reply("fin")] },
    };
    const isBetween = (name: string) => (events: readonly { type: string; name?: string }[]) =>
      events.some((event) => event.type === "node.started" && event.name === name);
    const killed = await continueRun(sketch, [], isBetween("read"));
    const cut = killed.slice(
      0,
      killed.findIndex((event) => event.type === "node.started" && event.name === "read"),
    );
    calls.length = 0;
    const all = await continueRun({ ...sketch, script: { a: [reply("fin")] } }, cut);
    expect(calls).toEqual(["read"]);
    expect(all.at(-1)).toMatchObject({ type: "run.finished", status: "SUCCESS", output: { text: "fin" } });
  });
});

describe("an orchestrate swarm", () => {
  const file = (fields = ""): string =>
    `agents:
  lead: { model: "scripted:m", tools: [write, read]${fields} }
  scout: { model: "scripted:m", tools: [write, read]${fields} }
swarm: { type: orchestrate, agents: [lead, scout] }
`;
  const spawn = call("spawn_agent", { purpose: "look", agent: "scout" });
  const script = { lead: [turnOf("write", "read"), spawn, reply("fin")], scout: [turnOf("write", "read"), reply("S")] };

  test("runs the calls of its lead and of its background agents in order", async () => {
    const ran = await runFile(file(), { tools: createNotebook().tools, script });
    expect(ran.end("lead").metadata?.decisions).toContain("execute-tools in order: write, read");
    expect(ran.end("scout#spawn-1").metadata?.decisions).toContain("execute-tools in order: write, read");
    expect(results(ran, "lead").slice(0, 2)).toEqual(["T:written", "T:kept"]);
  });

  test("runs them at once where an agent declares it", async () => {
    const ran = await runFile(file(", tool_calls: parallel"), { tools: createNotebook().tools, script });
    expect(ran.end("lead").metadata?.decisions).toContain("execute-tools: write, read");
    expect(ran.end("scout#spawn-1").metadata?.decisions).toContain("execute-tools: write, read");
  });

  test("a copy of the lead that it spawns works in order, too; a team does not", async () => {
    const alone = `${agents("lead")}\nswarm: { type: orchestrate, agents: [lead] }\n`.replace(
      '"I am lead"',
      '"I am lead", tools: [write, read]',
    );
    const ran = await runFile(alone, {
      tools: createNotebook().tools,
      script: ({ tools: offered, messages }) =>
        messages.at(-1)?.role === "tool"
          ? reply("fin")
          : offered.some(({ name }) => name === "spawn_agent")
            ? call("spawn_agent", { purpose: "look" })
            : turnOf("write", "read"),
    });
    expect(ran.end("lead#spawn-1").metadata?.decisions).toContain("execute-tools in order: write, read");
    const team = `${agents("lead", "w")}\nswarm: { type: team, agents: [lead, w] }\n`;
    const delegate = { name: "delegate_to_w", arguments: { task: "t" } };
    const worked = await runFile(team, {
      script: { lead: [{ calls: [delegate, delegate] }, reply("fin")], w: [reply("W"), reply("W")] },
    });
    expect(worked.end("lead").metadata?.decisions).toContain("execute-tools: delegate_to_w, delegate_to_w");
  });
});
